import { expect } from 'vitest';
import type { JobRecord } from '../../../src/domain/job.ts';
import type { Visitor } from './visitor.ts';

/** Reads slice after slice until all the jobs have an outcome; returns where to go on. */
export async function readUntil(
  { site }: Visitor,
  from: number,
  seen: Map<string, JobRecord>,
  nativeIds: readonly string[],
  isEnough = () => true,
): Promise<number> {
  let since = from;
  await site.until(`the history knows how ${nativeIds.join(', ')} ended`, async () => {
    const { records, nextSince } = await site.adapter.history(since);
    expect(nextSince).toBeGreaterThanOrEqual(since);
    since = nextSince;
    for (const record of records) seen.set(record.nativeId, record);
    if (!isEnough()) return false;
    return nativeIds.every((nativeId) => (seen.get(nativeId)?.outcome ?? null) !== null);
  });
  return since;
}
