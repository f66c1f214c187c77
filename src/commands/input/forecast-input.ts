import { quoted } from '../../domain/text.ts';
import type { CommandContext } from '../carry-out/context.ts';
import { FaultList } from './faults.ts';
import { checkProgram, checkSize, type ProgramInput, type SizeInput } from './work-input.ts';

/** A job whose wait is asked for. */
export interface ForecastInput extends SizeInput, ProgramInput {
  readonly user: string | null;
  /** Null for the predictor that decides. */
  readonly predictor: string | null;
}

/** @throws InputFaults where no site could be asked that */
export function checkForecastInput({ limits, forecaster }: CommandContext, input: ForecastInput): void {
  const faults = new FaultList();
  checkSize(faults, input, 'input', limits);
  checkProgram(faults, input, 'input', limits);
  const known = forecaster.predictors;
  if (input.predictor !== null && !known.includes(input.predictor)) {
    const message = `there is no predictor ${quoted(input.predictor)}; there are ${known.join(', ')}`;
    faults.require(false, 'input.predictor', message);
  }
  faults.assertNone();
}
