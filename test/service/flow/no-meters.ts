import type { FlowMeters } from '../../../src/flow/context.ts';

/** For whoever measures nothing. */
export const NO_METERS: FlowMeters = {
  onStep: () => undefined,
  onWakeUp: () => undefined,
  onRecomputed: () => undefined,
};
