import { SiteFailure } from '../../src/domain/failures.ts';
import type { JobSpec } from '../../src/domain/job.ts';
import type { SiteAdapter } from '../../src/domain/site-adapter.ts';
import { submissionKey } from '../../src/domain/submission.ts';

/** What became of many submissions to a site that loses replies. */
export interface Submissions {
  /** Native ids by execution. */
  readonly accepted: ReadonlyMap<string, string>;
  readonly unknown: number;
  readonly unavailable: number;
}

/**
 * Hands in one job for each execution, as the flow does: after doubt the key is looked for, and only when it is nowhere
 * after the accounting's lag, or nothing happened, a fresh key is used.
 */
export async function submitEverything(
  adapter: SiteAdapter,
  executionIds: readonly string[],
  spec: JobSpec,
  pause: (seconds: number) => Promise<void>,
): Promise<Submissions> {
  const accepted = new Map<string, string>();
  let [unknown, unavailable] = [0, 0];
  const submitOne = async (executionId: string) => {
    for (let attempt = 1; !accepted.has(executionId); attempt++) {
      const key = submissionKey(executionId, attempt);
      const intendedAt = Date.now() / 1000;
      try {
        accepted.set(executionId, (await adapter.submit(spec, key)).nativeId);
      } catch (error) {
        if (!(error instanceof SiteFailure) || error.kind === 'final') throw error;
        if (error.kind === 'transient') unavailable++;
        else {
          unknown++;
          const nativeId = await findSurely(adapter, key, intendedAt, pause);
          if (nativeId !== null) accepted.set(executionId, nativeId);
        }
        await pause(0.5);
      }
    }
  };
  const left = executionIds.values();
  const worker = async () => {
    for (const executionId of left) await submitOne(executionId);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return { accepted, unknown, unavailable };
}

/** The job bearing the key; null when the site was silent about it twice, with the accounting's lag between. */
async function findSurely(
  adapter: SiteAdapter,
  key: string,
  intendedAt: number,
  pause: (seconds: number) => Promise<void>,
): Promise<string | null> {
  for (let silences = 0; silences < 2; ) {
    try {
      const found = await adapter.find(key, intendedAt);
      if (found) return found.nativeId;
      silences++;
      await pause(adapter.capabilities.accountingLagSeconds + 1);
    } catch (error) {
      if (!(error instanceof SiteFailure)) throw error;
      await pause(0.5);
    }
  }
  return null;
}
