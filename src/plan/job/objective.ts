import { QUANTILE_COUNT } from '../../domain/forecast.ts';
import type { LossReason } from '../../domain/loss-reason.ts';
import type { Objective } from '../../domain/objective.ts';
import type { Candidate } from '../../domain/plan.ts';

/** An option as it is compared. */
export type Comparable = Pick<
  Candidate,
  | 'siteId'
  | 'queue'
  | 'processors'
  | 'walltimeSeconds'
  | 'submitAt'
  | 'forecast'
  | 'responseSeconds'
  | 'costProcessorSeconds'
  | 'gainScore'
  | 'isUsualQueue'
>;

/**
 * What an option is compared by, the smaller the better: the seconds until it is predicted to end, of a job of several
 * sizes what its gain lacks of 1, the seconds until it starts, or the processor-seconds that it is charged. Null
 * without a finite forecast of its wait, whatever the objective.
 */
export function scoreOf(objective: Objective, option: Comparable): number | null {
  const { responseSeconds, walltimeSeconds, costProcessorSeconds, gainScore } = option;
  if (responseSeconds === null) return null;
  if (objective === 'EARLIEST_FINISH') {
    return typeof gainScore === 'number' ? 1 - gainScore : responseSeconds;
  }
  return objective === 'EARLIEST_START' ? responseSeconds - walltimeSeconds : costProcessorSeconds;
}

/**
 * The order of options, the best first, which does not depend on the order in which they come. One without a forecast
 * comes after all that have one. Of equal scores the one that ends first wins, then the one that our own jobs on their
 * way delay least, then the one that starts sooner on the whole, the smaller site id, the smaller charge, the queue
 * that it goes to unasked, the earlier submission, the smaller size, the shorter walltime, the queue that comes first
 * by its name.
 */
export function byObjective(objective: Objective): (a: Comparable, b: Comparable) => number {
  const scored = (option: Comparable) => scoreOf(objective, option) ?? Number.MAX_VALUE;
  return (a, b) =>
    scored(a) - scored(b) ||
    finishOf(a) - finishOf(b) ||
    delayOf(a) - delayOf(b) ||
    meanStartOf(a) - meanStartOf(b) ||
    byText(a.siteId, b.siteId) ||
    a.costProcessorSeconds - b.costProcessorSeconds ||
    Number(b.isUsualQueue ?? false) - Number(a.isUsualQueue ?? false) ||
    a.submitAt - b.submitAt ||
    a.processors - b.processors ||
    a.walltimeSeconds - b.walltimeSeconds ||
    byText(a.queue ?? '', b.queue ?? '');
}

/** Whether an option is compared by its gain over several sizes. */
export function isByGain(objective: Objective, { gainScore }: Pick<Comparable, 'gainScore'>): boolean {
  return objective === 'EARLIEST_FINISH' && typeof gainScore === 'number';
}

/** In which word an option lost that could have been taken: by what was compared first and was not as good. */
export function lossAgainst(objective: Objective, loser: Comparable, winner: Comparable): LossReason {
  if (scoreOf(objective, loser) === scoreOf(objective, winner)) return 'SLOWER';
  return isByGain(objective, loser) ? 'LOWER_GAIN' : LOSSES[objective];
}

const LOSSES: Readonly<Record<Objective, LossReason>> = {
  EARLIEST_FINISH: 'SLOWER',
  EARLIEST_START: 'STARTS_LATER',
  LEAST_CHARGE: 'COSTLIER',
};

function finishOf({ responseSeconds }: Comparable): number {
  return responseSeconds ?? Number.MAX_VALUE;
}

function delayOf({ forecast }: Comparable): number {
  return forecast?.delaySeconds ?? 0;
}

/**
 * The mean of the percentiles of its start, in epoch seconds; those that history does not support count as years, as no
 * forecast does.
 */
function meanStartOf({ forecast, submitAt }: Comparable): number {
  if (forecast === null) return submitAt + UNSUPPORTED_SECONDS;
  const waitsSeconds = forecast.quantileSeconds.reduce((sum, one) => sum + Math.min(one, UNSUPPORTED_SECONDS), 0);
  return submitAt + waitsSeconds / QUANTILE_COUNT;
}

const UNSUPPORTED_SECONDS = 1e8;

function byText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
