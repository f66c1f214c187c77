import type { EpochSeconds } from '../domain/clock.ts';
import type { WaitForecast } from '../domain/forecast.ts';
import type { ChargeForecast } from '../domain/plan.ts';
import { longestHoldSeconds } from './hold.ts';

/** The job whose charge is asked for. */
export interface ChargeInput {
  readonly processors: number;
  /** The caller's own walltime. */
  readonly walltimeSeconds: number;
  readonly holdUntilAt: EpochSeconds | null;
  readonly submitAt: EpochSeconds;
  readonly forecast: WaitForecast;
}

/**
 * Processor-seconds a padded job will be charged. The expected padding is the mean over the forecast's hundred slices of equal
 * probability, each taken at the middle of its ends; the first begins at no wait, the last never starts early.
 * The worst case is that of nurmi-varq, section 3.1; the expected one is named there as future work.
 */
export function forecastCharge(input: ChargeInput): ChargeForecast {
  const hold = longestHoldSeconds(input.holdUntilAt, input.submitAt);
  return {
    neededProcessorSeconds: input.processors * input.walltimeSeconds,
    worstPaddingProcessorSeconds: input.processors * hold,
    expectedPaddingProcessorSeconds: input.processors * expectedHoldSeconds(hold, input.forecast.quantileSeconds),
  };
}

function expectedHoldSeconds(longestHold: number, quantileSeconds: readonly number[]): number {
  let sum = 0;
  let before = longestHold;
  for (const waitSeconds of quantileSeconds) {
    const hold = Math.max(0, longestHold - waitSeconds);
    sum += (before + hold) / 2;
    before = hold;
  }
  return (sum + before / 2) / (quantileSeconds.length + 1);
}

/** Everything the caller pays on average. */
export function expectedCharge(charge: ChargeForecast): number {
  return charge.neededProcessorSeconds + charge.expectedPaddingProcessorSeconds;
}
