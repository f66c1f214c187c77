import type { EpochSeconds } from '../domain/clock.ts';
import { formatExactSeconds } from '../domain/duration.ts';
import { CallerError } from '../domain/failures.ts';
import type { JobRecord } from '../domain/job.ts';
import type { LogFormat } from '../sim/read-workload.ts';
import { publishChange } from '../store/events.ts';
import { createImport, saveImportCounts } from '../store/imports.ts';
import type { Principal } from '../store/principals.ts';
import { saveRecords } from '../store/records.ts';
import { findStandingSite } from '../store/sites.ts';
import { carryOut, type Idempotent } from './carry-out/carry-out.ts';
import type { CommandContext } from './carry-out/context.ts';
import { logRecords, remarkList } from './input/log-records.ts';
import { notFound } from './input/not-found.ts';
import { readLog } from './input/read-log.ts';

/** A log of a site's past, to be learned from. */
export interface ImportHistoryInput extends Idempotent {
  readonly siteId: string;
  /** The log as text, or gzip in base64. */
  readonly content: string;
  /** Null to tell it by how it begins. */
  readonly format: LogFormat | null;
  /**
   * The moment that the log calls 0, which accounting has at its first submission; null to take it from the log itself.
   */
  readonly originAt: EpochSeconds | null;
}

/** What became of the jobs of a log. `skipped` ones brought nothing new or had no size. */
export type ImportedHistory = Readonly<Record<'imported' | 'changed' | 'skipped', number>> & {
  /** As JSON: what was left out or changed on the way, and how often. */
  readonly remarks: string;
};

/**
 * Takes a log into a site's history. Returning means all of it is in; importing it again changes nothing.
 * @throws CallerError NOT_FOUND, or INVALID with the line at fault
 */
export function importHistory(
  context: CommandContext,
  principal: Principal,
  input: ImportHistoryInput,
): Promise<ImportedHistory & { siteId: string; importId: string }> {
  return carryOut(context, principal, 'importHistory', input, async (commit) => {
    const { siteId, content } = input;
    if (!(await findStandingSite(context.database.db, siteId))) {
      throw notFound('site', 'input.siteId');
    }
    const limits = { maxBytes: context.limits.maxImportBytes, maxMilliseconds: READ_MILLISECONDS };
    const workload = await readLog(content, 'input.content', limits, input.format);
    const headerStates = workload.header.has('UnixStartTime');
    const originAt = input.originAt ?? (headerStates ? workload.originAt : null);
    if (originAt === null) {
      const message = 'the log has no UnixStartTime in its header; give originAt, the moment that it calls 0';
      throw new CallerError('INVALID', 'input.originAt', message);
    }
    const now = context.clock.now();
    const records = logRecords(workload, originAt);
    assertPast(records, originAt, now);
    assertSinceUnixTime(records);
    return commit(
      async (tx) => {
        const importId = await createImport(tx, { siteId, principalId: principal.id, now });
        const { inserted: imported, changed } = await saveRecords(tx, siteId, records, importId);
        const counts = { imported, changed, skipped: workload.length - imported - changed };
        await saveImportCounts(tx, importId, counts);
        await publishChange(tx, { type: 'SITE', id: siteId, tenantId: null });
        return { siteId, importId, ...counts, remarks: JSON.stringify(remarkList(workload.remarks)) };
      },
      { timeoutMilliseconds: IMPORT_MILLISECONDS },
    );
  });
}

/** History must have happened: a record of the future would teach what nobody can know. */
function assertPast(records: readonly JobRecord[], originAt: EpochSeconds, now: EpochSeconds): void {
  const newestAt = records.reduce(
    (newest, { submitAt, startAt, endAt }) => Math.max(newest, submitAt, startAt ?? 0, endAt ?? 0),
    Number.NEGATIVE_INFINITY,
  );
  if (newestAt <= now) return;
  const latest = new Date((originAt - (newestAt - now)) * 1000).toISOString();
  const message = `with this origin the log ends ${formatExactSeconds(Math.ceil(newestAt - now))} from now; originAt may be ${latest} at the latest`;
  throw new CallerError('INVALID', 'input.originAt', message);
}

/** Before Unix time no machine had a clock that its log could come from: such moments are mistakes, or not known. */
function assertSinceUnixTime(records: readonly JobRecord[]): void {
  const first = records.find(({ submitAt }) => submitAt < 0);
  if (!first) return;
  const message = `with this origin job ${first.nativeId} was submitted before 1970; give another originAt, or mend the log`;
  throw new CallerError('INVALID', 'input.originAt', message);
}

const IMPORT_MILLISECONDS = 300_000;
const READ_MILLISECONDS = 60_000;
