import type { EpochSeconds } from '../domain/clock.ts';
import type { WaitForecast } from '../domain/forecast.ts';
import type { ChargeForecast } from '../domain/plan.ts';
import { expectedHoldSeconds, longestHoldSeconds } from './hold.ts';

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
 * Processor-seconds a padded job will be charged. The worst case is that of nurmi-varq, section 3.1; the expected one
 * is named there as future work.
 */
export function forecastCharge(input: ChargeInput): ChargeForecast {
  const { holdUntilAt, submitAt, forecast } = input;
  return {
    neededProcessorSeconds: input.processors * input.walltimeSeconds,
    worstPaddingProcessorSeconds: input.processors * longestHoldSeconds(holdUntilAt, submitAt),
    expectedPaddingProcessorSeconds: input.processors * expectedHoldSeconds(holdUntilAt, submitAt, forecast),
  };
}

/** Everything the caller pays on average. */
export function expectedCharge(charge: ChargeForecast): number {
  return charge.neededProcessorSeconds + charge.expectedPaddingProcessorSeconds;
}
