import type { EpochSeconds } from '../../domain/clock.ts';
import { type RuntimeForecast, secondsAtProbability, type WaitForecast } from '../../domain/forecast.ts';
import type { Candidate, OptionSpread, PutOff, SecondsInterval } from '../../domain/plan.ts';
import { finishOutcomes, type JobSpread, type Outcomes, outcomeAt } from './compare.ts';

/** How sure the intervals are that a plan shows. */
const PROBABILITIES = [0.5, 0.9] as const;

/** An option as far as its start and end are spread. */
export interface SpreadOption {
  readonly forecast: Pick<WaitForecast, 'quantileSeconds'> | null;
  readonly runtime?: Pick<RuntimeForecast, 'quantileSeconds' | 'sampleSize'> | null;
  readonly walltimeSeconds: number;
  readonly submitAt: EpochSeconds;
  readonly putOff?: Pick<PutOff, 'startAt'> | null;
}

/** How an option's wait and runtime are spread; null without a forecast of the wait. */
export function jobSpread(option: SpreadOption, now: EpochSeconds): JobSpread | null {
  const { forecast, runtime, walltimeSeconds, submitAt, putOff } = option;
  if (forecast === null || !Number.isFinite(forecast.quantileSeconds[0] ?? Number.POSITIVE_INFINITY)) return null;
  return {
    waitQuantileSeconds: forecast.quantileSeconds,
    runtimeQuantileSeconds: runtime && runtime.sampleSize > 0 ? runtime.quantileSeconds : null,
    walltimeSeconds,
    leadSeconds: submitAt - now,
    earliestStartSeconds: putOff ? putOff.startAt - now : 0,
  };
}

/** When an option ends, in seconds from now; null without a forecast of its wait. */
export function finishOf(option: SpreadOption, now: EpochSeconds): Outcomes | null {
  const spread = jobSpread(option, now);
  return spread && finishOutcomes(spread);
}

/** What a plan shows of an option's spread. */
export function describeSpread(
  { forecast, runtime }: Pick<Candidate, 'forecast' | 'runtime'>,
  finish: Outcomes | null,
): OptionSpread {
  return {
    wait: forecast ? intervalsBy((probability) => secondsAt(forecast.quantileSeconds, probability)) : [],
    runtime:
      runtime && runtime.sampleSize > 0
        ? intervalsBy((probability) => secondsAt(runtime.quantileSeconds, probability))
        : [],
    finish: finish ? intervalsBy((probability) => outcomeAt(finish, probability)) : [],
    medianFinishSeconds: finish && outcomeAt(finish, 0.5),
  };
}

/** The central intervals, without those of which neither end is known. */
function intervalsBy(secondsAt: (probability: number) => number | null): SecondsInterval[] {
  return PROBABILITIES.map((probability) => ({
    probability,
    lowSeconds: secondsAt((1 - probability) / 2),
    highSeconds: secondsAt((1 + probability) / 2),
  })).filter(({ lowSeconds }) => lowSeconds !== null);
}

function secondsAt(quantileSeconds: readonly number[], probability: number): number | null {
  const seconds = secondsAtProbability({ quantileSeconds }, probability);
  return Number.isFinite(seconds) ? seconds : null;
}
