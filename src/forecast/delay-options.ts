import type { EpochSeconds } from '../domain/clock.ts';
import { formatSeconds } from '../domain/duration.ts';
import type { WaitForecast } from '../domain/forecast.ts';
import type { HoldQueue } from '../domain/hold-queue.ts';
import { isWorthDelaying, LEAST_REDUCTION, type PredictedResponses } from '../plan/job/delay.ts';
import { submitAtBehind } from '../plan/job/hold-queue.ts';
import { percentOf } from '../plan/job/walltime.ts';
import { momentText } from '../plan/unusable.ts';
import type { AskedOption } from './forecast-options.ts';
import type { DelayAnswer, Forecaster } from './forecaster.ts';

/** How a job may be held back. */
export interface DelayTerms {
  readonly now: EpochSeconds;
  /** It is submitted by then. */
  readonly latestAt: EpochSeconds;
  /** The job must have ended by then; null for any time. */
  readonly deadlineAt: EpochSeconds | null;
  /** Who of the same tenant is held back at each site already. */
  readonly holdQueues: ReadonlyMap<string, HoldQueue>;
}

/**
 * The options of a job that may be held back: at each site as before and, where the site's running jobs suggest a later
 * moment, then as well, ruled out unless that is predicted to be worth it. At a site where jobs of the same tenant are
 * held back it queues behind them, unless that would be too late for it.
 */
export async function withDelays(
  forecaster: Pick<Forecaster, 'forecastDelay'>,
  options: readonly AskedOption[],
  terms: DelayTerms,
): Promise<AskedOption[]> {
  const bySite = new Map<string, AskedOption[]>();
  for (const option of options.filter(({ forecast }) => forecast !== null)) {
    const { siteId } = option.site;
    bySite.set(siteId, [...(bySite.get(siteId) ?? []), option]);
  }
  const made = await Promise.all(
    Array.from(bySite, async ([siteId, own]) => {
      const ways = await waysAt(forecaster, siteId, own, terms);
      return own.map((option, index) => [option, ways[index] ?? [option]] as const);
    }),
  );
  const waysOf = new Map(made.flat());
  return options.flatMap((option) => waysOf.get(option) ?? [option]);
}

/** Seconds from now to its end of an option submitted now or later, as far as that can be predicted. */
export function predictedResponses(
  { atOnce, later }: DelayAnswer['waits'][number],
  runSeconds: number,
  delaySeconds: number,
): PredictedResponses {
  return {
    atOnceSeconds: atOnce.pointSeconds + runSeconds,
    delayedSeconds: delaySeconds + later.pointSeconds + runSeconds,
  };
}

/** How long an option is expected to run; its walltime where too little is known. */
export function expectedRunSeconds({ runtime, walltimeSeconds }: Pick<AskedOption, 'runtime' | 'walltimeSeconds'>) {
  return runtime && runtime.sampleSize > 0 && Number.isFinite(runtime.pointSeconds)
    ? Math.min(runtime.pointSeconds, walltimeSeconds)
    : walltimeSeconds;
}

/** Each option as it was, then, or behind those who are held back, in the order of the options. */
async function waysAt(
  forecaster: Pick<Forecaster, 'forecastDelay'>,
  siteId: string,
  options: readonly AskedOption[],
  { now, latestAt, deadlineAt, holdQueues }: DelayTerms,
): Promise<AskedOption[][]> {
  const jobs = options.map(({ query }) => query);
  const queue = holdQueues.get(siteId) ?? null;
  const behindAt = queue && submitAtBehind(queue.head, queue.last, now);
  if (queue && behindAt !== null && behindAt <= latestAt && queue.jobs < MOST_HELD_BACK) {
    const behind = await forecaster.forecastDelay(siteId, { jobs, now, laterAt: behindAt, latestAt });
    return behind ? options.map((option, index) => [orBehind(option, behind, index, deadlineAt)]) : [];
  }
  if (behindAt !== null || !options.some(mightGain)) return [];
  const delay = await forecaster.forecastDelay(siteId, { jobs, now, laterAt: null, latestAt });
  return delay ? options.map((option, index) => [option, later(option, delay, index, now)]) : [];
}

/** Whether a delay could be worth it if it cost nothing and nobody waited then; the ends of running jobs cost time. */
function mightGain(option: AskedOption): boolean {
  const runSeconds = expectedRunSeconds(option);
  const waitSeconds = option.forecast?.pointSeconds ?? 0;
  return isWorthDelaying({ atOnceSeconds: waitSeconds + runSeconds, delayedSeconds: runSeconds });
}

function orBehind(option: AskedOption, { laterAt, waits }: DelayAnswer, index: number, deadlineAt: number | null) {
  const forecast = (waits[index] as DelayAnswer['waits'][number]).later;
  if (deadlineAt !== null && laterAt + forecast.pointSeconds + option.walltimeSeconds > deadlineAt) return option;
  const remark = 'it is held back behind a job of yours that came before it';
  return { ...submittedAt(option, laterAt, forecast), isHeldBehind: true, remark };
}

function later(option: AskedOption, { laterAt, waits }: DelayAnswer, index: number, now: EpochSeconds): AskedOption {
  const wait = waits[index] as DelayAnswer['waits'][number];
  const predicted = predictedResponses(wait, expectedRunSeconds(option), laterAt - now);
  const [atOnce, delayed] = [predicted.atOnceSeconds, predicted.delayedSeconds].map(secondsText);
  const figures = `submitted at ${momentText(laterAt)} it is predicted to end in ${delayed}, at once in ${atOnce}`;
  const held = submittedAt(option, laterAt, wait.later);
  if (isWorthDelaying(predicted)) return { ...held, remark: `it is held back: ${figures}` };
  const explanation = `${figures}; that has to be ${percentOf(LEAST_REDUCTION)} less to be worth holding it back`;
  return { ...held, ruledOut: { reason: 'NOT_WORTH_DELAYING', explanation } };
}

function submittedAt(option: AskedOption, submitAt: EpochSeconds, forecast: WaitForecast): AskedOption {
  const { query, work } = option;
  return { ...option, submitAt, query: { ...query, submitAt }, work: { ...work, submitAt }, forecast };
}

function secondsText(seconds: number): string {
  return Number.isFinite(seconds) ? formatSeconds(seconds) : 'a time that is not known';
}

/** Of one tenant at one site; who comes after so many goes at once. */
const MOST_HELD_BACK = 200;
