import { CallerError } from '../../domain/failures.ts';

/** Said of an argument that asks for what is not exceeded with a probability. */
export const PROBABILITY = { defaultValue: 0.95, description: 'Between 0 and 1, both excluded.' } as const;

/** @throws CallerError INVALID when it is none that anything can be told for */
export function assertProbability(probability: number): void {
  if (probability > 0 && probability < 1) return;
  const message = `probability must lie between 0 and 1, both excluded, got ${probability}`;
  throw new CallerError('INVALID', 'probability', message);
}
