import type { CandidateSite, PlanRequest } from '../../domain/plan.ts';

/**
 * How long moving a job's files to a site is taken to last, before it can be handed in there: a second for each, and
 * their bytes as far as they are stated, at the rate of the files that were moved there lately.
 */
export function stagingSeconds(
  { staging }: Pick<PlanRequest, 'staging'>,
  { stagedBytesPerSecond }: Pick<CandidateSite, 'stagedBytesPerSecond'>,
): number {
  const files = staging?.in ?? [];
  const bytes = files.reduce((sum, file) => sum + (file.bytes ?? 0), 0);
  return files.length * SECONDS_PER_FILE + bytes / (stagedBytesPerSecond ?? USUAL_BYTES_PER_SECOND);
}

/** To reach its source, and to have it compared. */
const SECONDS_PER_FILE = 1;
/** Until the first file of some size was moved to any site. */
const USUAL_BYTES_PER_SECOND = 20_000_000;
