/**
 * The key under which an attempt is known at its site, in the job's name or comment. A function of execution and attempt, so
 * that a job found at a site leads back to its execution without a look-up.
 */
export function submissionKey(executionId: string, attempt: number): string {
  return `gc-${executionId.replaceAll('-', '')}-${attempt}`;
}
