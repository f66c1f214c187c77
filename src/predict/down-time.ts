import type { EpochSeconds } from '../domain/clock.ts';
import type {
  DownTimeEvidence,
  DownTimeSign,
  DownTimeState,
  DownTimeVerdict,
  GrowingWaits,
} from '../domain/down-time.ts';
import { formatSeconds } from '../domain/duration.ts';
import { hasStarted, type JobRecord, type StartedRecord, waitSeconds } from '../domain/job.ts';
import type { Snapshot } from '../domain/snapshot.ts';
import { countValue, quantileOfCounts } from '../stats/half-octaves.ts';

/** What is known of a site that was never looked at. */
export const NEVER_LOOKED_AT: DownTimeState = {
  observedAt: null,
  unanswered: null,
  newestStartAt: null,
  waitingSinceAt: null,
  stalledSinceAt: null,
  growth: null,
  usualWaiting: [],
  usualStalled: [],
  usualGrowth: [],
};

/**
 * Takes in one look at a site. What counts as a sign is learned from the site itself: how long its jobs usually wait
 * without a start, with the machine full and with room for the first of them, and how long waits usually grow.
 *
 * Source: the down-time detector that nurmi-varq, section 4.6, names as future work.
 * @param records newly told of by accounting, for jobs that started and ended between two looks
 */
export function noteSnapshot(
  state: DownTimeState,
  snapshot: Snapshot,
  records: readonly JobRecord[] = [],
): DownTimeState {
  const started = newlyStarted(state, snapshot, records);
  const wasBlind = state.observedAt !== null && snapshot.observedAt - state.observedAt > LONGEST_BLIND_SECONDS;
  const begun = wasBlind ? { ...state, waitingSinceAt: null, stalledSinceAt: null, growth: null } : state;
  const followed = started.reduce(followGrowth, begun);
  const isOver = started.length > 0 || snapshot.waiting.length === 0;
  return {
    ...goOn(isOver ? endOfWaiting(followed, snapshot.observedAt) : followed, snapshot),
    observedAt: snapshot.observedAt,
    unanswered: null,
    newestStartAt: started.at(-1)?.startAt ?? state.newestStartAt ?? snapshot.observedAt,
  };
}

/** Takes in a look that the site did not answer, with its words. */
export function noteNoAnswer(state: DownTimeState, at: EpochSeconds, siteSays: string): DownTimeState {
  const { sinceAt, count } = state.unanswered ?? { sinceAt: at, count: 0 };
  return { ...state, unanswered: { sinceAt, count: count + 1, siteSays } };
}

/**
 * Whether the site is to be taken for down now, and why. It is up again with the first look that leaves no evidence.
 */
export function judgeDownTime(state: DownTimeState, now: EpochSeconds): DownTimeVerdict {
  const evidence = [unreachable(state, now), noStarts(state), growingWaits(state)].filter((one) => one !== null);
  return { isDown: evidence.length > 0, evidence };
}

function unreachable({ unanswered }: DownTimeState, now: EpochSeconds): DownTimeEvidence | null {
  if (unanswered === null || unanswered.count < FEWEST_UNANSWERED) return null;
  const { sinceAt, count, siteSays } = unanswered;
  const explanation = `it has not answered ${count} looks in ${formatSeconds(now - sinceAt)}: ${siteSays}`;
  return signFrom('UNREACHABLE', sinceAt, now - sinceAt, UNANSWERED_SECONDS, explanation);
}

function noStarts(state: DownTimeState): DownTimeEvidence | null {
  const { observedAt, waitingSinceAt, stalledSinceAt, usualWaiting, usualStalled } = state;
  if (observedAt === null) return null;
  const stalled = {
    sinceAt: stalledSinceAt,
    limit: limitOf(usualStalled, STALLED_SECONDS),
    how: 'though one would fit',
  };
  const waiting = { sinceAt: waitingSinceAt, limit: limitOf(usualWaiting, WAITING_SECONDS), how: 'on a full machine' };
  for (const { sinceAt, limit, how } of [stalled, waiting]) {
    if (sinceAt === null || observedAt - sinceAt < limit) continue;
    const since = formatSeconds(observedAt - sinceAt);
    const explanation = `jobs wait and none has started for ${since} ${how}; usual is less than ${formatSeconds(limit)}`;
    return signFrom('NO_STARTS', sinceAt, observedAt - sinceAt, limit, explanation);
  }
  return null;
}

function growingWaits({ growth, usualGrowth }: DownTimeState): DownTimeEvidence | null {
  if (growth === null || growth.lastWaitSeconds - growth.firstWaitSeconds < LEAST_GROWTH_SECONDS) return null;
  const { count, sinceAt, firstWaitSeconds, lastWaitSeconds } = growth;
  const limit = limitOf(usualGrowth, GROWING_JOBS);
  const waits = `from ${formatSeconds(firstWaitSeconds)} to ${formatSeconds(lastWaitSeconds)}`;
  const longer = `the last ${count} jobs to start waited longer one after another, ${waits}`;
  const explanation = `${longer}; usual are fewer than ${Math.ceil(limit)}`;
  return signFrom('GROWING_WAITS', sinceAt, count, limit, explanation);
}

function signFrom(
  sign: DownTimeSign,
  sinceAt: EpochSeconds,
  observed: number,
  limit: number,
  explanation: string,
): DownTimeEvidence | null {
  return observed >= limit ? { sign, sinceAt, observed, limit, explanation } : null;
}

/**
 * Several times what is rarely exceeded at the site, and never less than `least`, which also stands while little is
 * known.
 */
function limitOf(usual: readonly number[], { least, unknown }: { least: number; unknown: number }): number {
  const rare = quantileOfCounts(usual, RARE, FEWEST_KNOWN);
  return rare === null ? unknown : Math.max(least, TIMES_RARE * rare);
}

function newlyStarted(state: DownTimeState, snapshot: Snapshot, records: readonly JobRecord[]): StartedRecord[] {
  const since = state.newestStartAt ?? Number.POSITIVE_INFINITY;
  const running = snapshot.running.map(({ key: _key, ...job }) => ({ ...job, endAt: null, outcome: null }));
  const started = [...running, ...records]
    .filter(hasStarted)
    .filter(({ startAt }) => startAt > since && startAt <= snapshot.observedAt);
  const byJob = new Map(started.map((record) => [`${record.nativeId}@${record.startAt}`, record]));
  return [...byJob.values()].sort((a, b) => a.startAt - b.startAt || a.submitAt - b.submitAt);
}

function followGrowth(state: DownTimeState, record: StartedRecord): DownTimeState {
  const wait = waitSeconds(record);
  const { growth } = state;
  const single: GrowingWaits = {
    count: 1,
    sinceAt: record.startAt,
    firstWaitSeconds: wait,
    lastWaitSeconds: wait,
    lastSubmitAt: record.submitAt,
  };
  if (growth === null) return { ...state, growth: single };
  if (wait > growth.lastWaitSeconds && record.submitAt > growth.lastSubmitAt) {
    const { count, sinceAt, firstWaitSeconds } = growth;
    return { ...state, growth: { ...single, count: count + 1, sinceAt, firstWaitSeconds } };
  }
  return { ...state, growth: single, usualGrowth: countValue(state.usualGrowth, growth.count) };
}

/** A stretch without starts is over: its length is one of those that are usual here. */
function endOfWaiting(state: DownTimeState, now: EpochSeconds): DownTimeState {
  const { waitingSinceAt, stalledSinceAt } = state;
  if (waitingSinceAt === null) return state;
  return {
    ...state,
    waitingSinceAt: null,
    stalledSinceAt: null,
    usualWaiting: countValue(state.usualWaiting, now - waitingSinceAt),
    usualStalled: countValue(state.usualStalled, stalledSinceAt === null ? 0 : now - stalledSinceAt),
  };
}

function goOn(state: DownTimeState, { observedAt, waiting, running, freeProcessors }: Snapshot): DownTimeState {
  const [first] = waiting;
  if (!first) return state;
  const couldStart = running.length === 0 || first.processors <= freeProcessors;
  return {
    ...state,
    waitingSinceAt: state.waitingSinceAt ?? observedAt,
    stalledSinceAt: couldStart ? (state.stalledSinceAt ?? observedAt) : null,
  };
}

const UNANSWERED_SECONDS = 900;
const FEWEST_UNANSWERED = 3;
/** After as long without a look it is not known what happened meanwhile. */
const LONGEST_BLIND_SECONDS = 3600;
const STALLED_SECONDS = { least: 1800, unknown: 7200 };
const WAITING_SECONDS = { least: 7200, unknown: 86_400 };
const GROWING_JOBS = { least: 8, unknown: 20 };
const LEAST_GROWTH_SECONDS = 3600;
const RARE = 0.995;
const TIMES_RARE = 2;
const FEWEST_KNOWN = 200;
