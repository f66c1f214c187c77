import type { EpochSeconds } from '../../domain/clock.ts';
import { isWithheld } from '../../domain/known-range.ts';
import type { CandidateSite, FinishBy, OptionFinish, PlanRequest } from '../../domain/plan.ts';
import { type FinishForecast, finishForecast } from '../job/finish.ts';
import type { ForecastOption } from '../job/options.ts';
import { type Ineligibility, momentText, putOff } from '../unusable.ts';
import { aimedFinish, promisableFinish } from './finish-aim.ts';

/** By how much more than a promise of that probability forecasts of a site have to say, see `finishShiftAfter`. */
export type FinishShifts = (siteId: string, probability: number) => number;

/** Options with what can be promised of their finish, where the request asks for that; as they are otherwise. */
export function withFinishes<Option extends ForecastOption>(
  options: readonly Option[],
  { finishBy = null }: PlanRequest,
  shifts: FinishShifts,
): readonly Option[] {
  if (finishBy === null) return options;
  return options.map((option) => {
    const shift = shifts(option.site.siteId, finishBy.probability);
    return { ...option, finish: promisableOf(option, finishBy, shift) };
  });
}

function promisableOf(option: ForecastOption, { at, probability }: FinishBy, shift: number): OptionFinish | null {
  const forecast = finishOf(option);
  if (forecast === null) return null;
  return {
    probability: wholeThousandths(promisableFinish(forecast.probabilityBy(at), shift)),
    earliestAt: forecast.earliestAt(aimedFinish(probability, shift)),
  };
}

/**
 * The finish of an option, maintenances in its way included; null where its wait or its runtime is not known, or the
 * site has left the range that it is known in too lately.
 */
export function finishOf(option: ForecastOption): FinishForecast | null {
  const { forecast, runtime, submitAt, walltimeSeconds } = option;
  if (!forecast || !runtime || runtime.sampleSize === 0 || isWithheld(forecast.outsideKnownRange)) return null;
  return finishForecast({
    submitAt,
    waitQuantileSeconds: forecast.quantileSeconds.map((seconds) => waitPutOff(option, option.site, seconds)),
    runtimeQuantileSeconds: runtime.quantileSeconds,
    walltimeSeconds,
  });
}

/** A job as it waits for its start, in the queue that it goes to. */
export interface WaitingSize {
  readonly queue: string | null;
  readonly processors: number;
  readonly walltimeSeconds: number;
  readonly submitAt: EpochSeconds;
}

/** A wait with the maintenances that it would start into. */
export function waitPutOff({ submitAt, ...size }: WaitingSize, site: CandidateSite, waitSeconds: number): number {
  if (!Number.isFinite(waitSeconds) || !site.maintenance?.length) return waitSeconds;
  return (putOff(size, site, submitAt + waitSeconds)?.startAt ?? submitAt + waitSeconds) - submitAt;
}

/** Why an option cannot be promised to finish as it is asked; null when it can, or that is not asked for. */
export function findUnpromised(
  { site, finish = null }: ForecastOption,
  { finishBy = null }: PlanRequest,
): Ineligibility | null {
  if (finishBy === null || (finish && finish.probability >= finishBy.probability)) return null;
  return { reason: 'MISSES_DEADLINE', explanation: `${site.name} ${shortOf(finish, finishBy)}` };
}

function shortOf(finish: OptionFinish | null, { at, probability }: FinishBy): string {
  if (finish === null) return 'cannot be promised on: too little is known of its waits or of such runtimes';
  const says = `finishes it by ${momentText(at)} with probability ${finish.probability}`;
  return finish.earliestAt === null
    ? `${says}, and at no time with ${probability}: what its walltime kills has not finished`
    : `${says}, with ${probability} by ${momentText(finish.earliestAt)}`;
}

function wholeThousandths(probability: number): number {
  return Math.floor(probability * 1000 + 1e-6) / 1000;
}
