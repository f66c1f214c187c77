import type { EpochSeconds } from '../domain/clock.ts';
import type { RuntimeForecast, WaitForecast } from '../domain/forecast.ts';
import type { ChargeForecast } from '../domain/plan.ts';
import { expectedHoldSeconds, longestHoldSeconds } from './hold.ts';

/** The job whose charge is asked for. */
export interface ChargeInput {
  readonly processors: number;
  /** What the site bills for each second of it, in processors; as many as it asks for unless told. */
  readonly billedProcessors?: number | undefined;
  /** The caller's own walltime. */
  readonly walltimeSeconds: number;
  readonly holdUntilAt: EpochSeconds | null;
  readonly submitAt: EpochSeconds;
  readonly forecast: WaitForecast;
}

/**
 * Processor-seconds a padded job will be charged. The worst case is that of nurmi-varq, section 3.1; the expected one
 * is named there as future work.
 */
export function forecastCharge(input: ChargeInput): ChargeForecast {
  const { holdUntilAt, submitAt, forecast, billedProcessors = input.processors } = input;
  return {
    billedProcessors,
    neededProcessorSeconds: billedProcessors * input.walltimeSeconds,
    worstPaddingProcessorSeconds: billedProcessors * longestHoldSeconds(holdUntilAt, submitAt),
    expectedPaddingProcessorSeconds: billedProcessors * expectedHoldSeconds(holdUntilAt, submitAt, forecast),
  };
}

/** A charge with the work at the runtime that is expected of it: the mean of its percentiles, the walltime at most. */
export function withExpectedWork(
  charge: ChargeForecast,
  walltimeSeconds: number,
  runtime: Pick<RuntimeForecast, 'quantileSeconds' | 'sampleSize'> | null | undefined,
): ChargeForecast {
  if (!runtime || runtime.sampleSize === 0) return { ...charge, expectedNeededProcessorSeconds: null };
  const { quantileSeconds } = runtime;
  const sum = quantileSeconds.reduce((sum, seconds) => sum + Math.min(seconds, walltimeSeconds), 0);
  const share = sum / quantileSeconds.length / walltimeSeconds;
  return { ...charge, expectedNeededProcessorSeconds: share * charge.neededProcessorSeconds };
}

/** All that the caller pays on average, the work at its walltime where no more is known, and in the worst case. */
export function expectedAndWorst(charge: ChargeForecast): { expected: number; worst: number } {
  const { neededProcessorSeconds, expectedNeededProcessorSeconds } = charge;
  return {
    expected: (expectedNeededProcessorSeconds ?? neededProcessorSeconds) + charge.expectedPaddingProcessorSeconds,
    worst: neededProcessorSeconds + charge.worstPaddingProcessorSeconds,
  };
}

/** What is paid on average where the work runs to its walltime, by which promises are compared. */
export function expectedCharge(charge: ChargeForecast): number {
  return charge.neededProcessorSeconds + charge.expectedPaddingProcessorSeconds;
}

/** What padding is expected to cost in words, and how that compares with the work that it is for. */
export function describeCost(expectedPaddingProcessorSeconds: number, neededProcessorSeconds: number): string {
  const times = Number((expectedPaddingProcessorSeconds / neededProcessorSeconds).toPrecision(2));
  return `${Math.round(expectedPaddingProcessorSeconds)} processor-seconds on average, ${times} times the work itself`;
}
