import type { EpochSeconds } from '../domain/clock.ts';
import { relativePointSeconds } from '../domain/forecast.ts';
import type { IoForecast } from '../domain/io-ahead.ts';
import { plannedWalltimeSeconds } from '../domain/job.ts';
import { runtimeSoFar } from '../domain/runtime-so-far.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../domain/snapshot.ts';
import type { Steps } from '../domain/steps.ts';
import { bandwidthOf, IoSum, type Slots } from '../predict/io-ahead/io-slots.ts';
import { IO_SLOT_SECONDS } from '../predict/io-ahead/known-bandwidth.ts';
import { asBytes, asRuntime, READ_BYTES, RUNTIME, WRITTEN_BYTES } from '../predict/quantities.ts';
import { POLICIES } from '../sim/policy.ts';
import { SiteAhead, siteNow } from '../sim/site-ahead.ts';
import type { IoQuestion } from './forecaster.ts';
import type { SiteView } from './site-view.ts';

/** A job of a site, and what is thought of it: how long it runs in all, and what it reads and writes meanwhile. */
interface ThoughtJob {
  readonly job: WaitingJob | RunningJob;
  readonly totalSeconds: number;
  readonly readBytes: number;
  readonly writtenBytes: number;
}

/**
 * What the jobs that a site shows will read and write: each runs as long as is forecast, from now on or as soon as
 * EASY lets it start, and reads and writes evenly. Who comes later is not foreseen. Null where the site was never
 * observed or tells nobody's bytes. A job at a step; beyond a thousand the rest is left out. Answers of the last minute
 * are given again.
 */
export function* answerIo(site: SiteView, question: IoQuestion): Steps<IoForecast | null> {
  const { now, aheadSeconds } = question;
  if (!site.state) return null;
  const made = newestOf.get(site.state);
  const isFresh = made && made.aheadSeconds === aheadSeconds && now >= made.now && now - made.now < FRESH_SECONDS;
  if (isFresh) return made.forecast;
  const forecast = yield* madeAnew(site, site.state, question);
  newestOf.set(site.state, { now, aheadSeconds, forecast });
  return forecast;
}

/** The newest forecast of each state: jobs that are held back all ask. */
const newestOf = new WeakMap<Snapshot, IoQuestion & { readonly forecast: IoForecast | null }>();
const FRESH_SECONDS = 60;

function* madeAnew(site: SiteView, seen: Snapshot, { now, aheadSeconds }: IoQuestion): Steps<IoForecast | null> {
  const { burstBytesPerSecond } = site.past;
  if (burstBytesPerSecond === null) return null;
  const { observedAt } = seen;
  const state = simulated(seen);
  const thoughts: ThoughtJob[] = [];
  for (const job of [...state.running, ...state.waiting]) {
    thoughts.push(thoughtOf(site, job, now));
    yield;
  }
  const slots = { fromAt: now, slotSeconds: IO_SLOT_SECONDS, count: Math.ceil(aheadSeconds / IO_SLOT_SECONDS) };
  return {
    madeAt: now,
    observedAt,
    slotSeconds: IO_SLOT_SECONDS,
    burstBytesPerSecond,
    jobs: thoughts.length,
    jobsLeftOut: seen.running.length + seen.waiting.length - thoughts.length,
    slots: sumOf(state, thoughts, slots).all(),
  };
}

/** The part of a state that is run on: not more jobs than that takes a second or two, and none that fits nowhere. */
function simulated(state: Snapshot): Snapshot {
  const running = state.running.filter(({ processors }) => processors > 0).slice(0, MOST_JOBS);
  const used = running.reduce((sum, { processors }) => sum + processors, 0);
  const most = Math.max(0, state.freeProcessors) + used;
  const isFitting = ({ processors }: WaitingJob) => processors > 0 && processors <= most;
  return { ...state, running, waiting: state.waiting.filter(isFitting).slice(0, MOST_JOBS - running.length) };
}

/** The runtime is the least wrong relatively: a bandwidth is bytes by seconds. */
function thoughtOf(site: SiteView, job: WaitingJob | RunningJob, now: EpochSeconds): ThoughtJob {
  const elapsedSeconds = 'startAt' in job ? now - job.startAt : 0;
  const said = asRuntime(site.predictOther(RUNTIME.name, job, now));
  const seconds = relativePointSeconds(runtimeSoFar(said, elapsedSeconds, job.requestedWalltimeSeconds));
  const walltimeSeconds = plannedWalltimeSeconds(job);
  const bytesOf = ({ name }: { readonly name: string }) => asBytes(site.predictOther(name, job, now))?.pointBytes ?? 0;
  return {
    job,
    totalSeconds: Number.isFinite(seconds) ? Math.max(1, Math.min(seconds, walltimeSeconds)) : walltimeSeconds,
    readBytes: bytesOf(READ_BYTES),
    writtenBytes: bytesOf(WRITTEN_BYTES),
  };
}

function sumOf(state: Snapshot, thoughts: readonly ThoughtJob[], slots: Slots): IoSum {
  const totals = new Map(thoughts.map(({ job, totalSeconds }) => [job, totalSeconds]));
  const copy = new SiteAhead(siteNow(state, POLICIES.easy, (job) => totals.get(job) ?? plannedWalltimeSeconds(job)));
  const runs = copy.runsUntil(slots.fromAt + slots.count * slots.slotSeconds);
  const sum = new IoSum(slots);
  for (const [place, { totalSeconds, readBytes, writtenBytes }] of thoughts.entries()) {
    const run = runs[place];
    if (run) sum.add({ ...run, ...bandwidthOf(readBytes, writtenBytes, totalSeconds) });
  }
  return sum;
}

/** Of a site; three forecasts of each. */
const MOST_JOBS = 1000;
