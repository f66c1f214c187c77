/** Expected padding over own work that certainty may cost where its caller says nothing of padding. */
export const USUAL_PADDING_RATIO = 3;

/**
 * The work of one job and the most its caller pays for holding processors in the worst case; null where nothing is
 * said.
 */
interface CappedWork {
  readonly processors: number;
  readonly walltimeSeconds: number;
  readonly maxPaddingProcessorSeconds: number | null;
}

/** Most expected padding, in processor-seconds; null where the caller has set a maximum. */
export function usualPaddingCap({
  processors,
  walltimeSeconds,
  maxPaddingProcessorSeconds,
}: CappedWork): number | null {
  return maxPaddingProcessorSeconds === null ? USUAL_PADDING_RATIO * processors * walltimeSeconds : null;
}
