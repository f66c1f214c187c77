import { type EndedRecord, hasRun, wasTakenDown } from '../../domain/job.ts';
import type { IoBytes } from '../../domain/job-use.ts';

/** What a job that is over read, or wrote; null where that is not told, or says nothing of such jobs. */
export function knownBytes(record: EndedRecord, which: IoBytes): number | null {
  const bytes = record.use?.[which] ?? null;
  if (bytes === null || !Number.isFinite(bytes) || !hasRun(record) || wasTakenDown(record)) return null;
  return Math.max(0, bytes);
}
