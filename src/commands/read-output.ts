import { CallerError, faultSentence, Rejected, SiteFailure } from '../domain/failures.ts';
import { MAX_OUTPUT_BYTES, type OutputPiece, type OutputStream } from '../domain/job-output.ts';
import type { ExecutionRow } from '../store/executions.ts';
import { findTenantName } from '../store/principals.ts';
import { findSite } from '../store/sites.ts';
import { listSubmissions, type SubmissionRow } from '../store/submissions.ts';
import type { CommandContext } from './carry-out/context.ts';
import { outputDeskOf } from './outputs/output-desk.ts';

/** Which bytes of a job's output are wanted. */
export interface OutputQuery {
  readonly stream: OutputStream;
  /** Of the first byte, from 0. */
  readonly offset: number;
  /** Bytes at most, up to `MAX_OUTPUT_BYTES`. */
  readonly limit: number;
}

/** A piece of what a job has written. */
export interface OutputOfJob {
  readonly stream: OutputStream;
  readonly offset: number;
  readonly bytes: Uint8Array;
  /** Where to go on. */
  readonly nextOffset: number;
  /** Null as long as the job has not begun to run. */
  readonly totalBytes: number | null;
  /** Nothing follows: the job is over and this reaches the end. */
  readonly isComplete: boolean;
  /** When the site was asked, in epoch seconds. */
  readonly observedAt: number;
}

/**
 * A piece of what a job of the caller's tenant has written, by its newest attempt that its site took. Whether the
 * caller may see the job was judged before.
 * @throws CallerError INVALID; OUTPUT_GONE when it is kept no longer or something else stands in its place;
 * NO_FILE_TRANSPORT, SITE_FAULT, BUSY
 */
export async function readOutput(context: CommandContext, job: ExecutionRow, query: OutputQuery): Promise<OutputOfJob> {
  assertQuery(query);
  const observedAt = context.clock.now();
  const isOver = job.state === 'ENDED';
  if (isOver && job.scriptHash === null) {
    throw gone('the output of a job is kept as long as the text of its script, and that time is over');
  }
  const submission = (await listSubmissions(context.database.db, job.id)).findLast(wasTaken);
  const piece = submission ? await readPiece(context, job, submission, query) : null;
  const { stream, offset } = query;
  const bytes = piece?.bytes ?? new Uint8Array();
  const nextOffset = offset + bytes.length;
  const totalBytes = piece?.totalBytes ?? null;
  const isComplete = isOver && nextOffset >= (totalBytes ?? 0);
  return { stream, offset, bytes, nextOffset, totalBytes, isComplete, observedAt };
}

function assertQuery({ offset, limit }: OutputQuery): void {
  if (!Number.isSafeInteger(offset) || offset < 0) {
    throw new CallerError('INVALID', 'offset', `offset ${offset} must be a whole number of bytes, at least 0`);
  }
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MAX_OUTPUT_BYTES) {
    const message = `limit ${limit} must be from 1 to ${MAX_OUTPUT_BYTES} bytes; read on from nextOffset`;
    throw new CallerError('INVALID', 'limit', message);
  }
}

/** Whether a native job of the attempt may have run. */
function wasTaken({ state }: SubmissionRow): boolean {
  return state !== 'REJECTED' && state !== 'ABSENT';
}

async function readPiece(
  { adapters, database, signal }: CommandContext,
  { tenantId, state }: ExecutionRow,
  { siteId, key }: SubmissionRow,
  query: OutputQuery,
): Promise<OutputPiece | null> {
  const site = await findSite(database.db, siteId);
  if (!site || site.removedAt !== null) throw gone('the site where it ran has been removed');
  try {
    const tenantName = await findTenantName(database.db, tenantId);
    const reader = { tenantId, tenantName, isOver: state === 'ENDED', signal };
    return await outputDeskOf(adapters).read(site, { key, ...query }, reader);
  } catch (error) {
    if (error instanceof Rejected)
      throw gone('what stands in its place at the site is not a file that the job was given');
    if (!(error instanceof SiteFailure)) throw error;
    const message = `the output cannot be read just now: ${faultSentence(error.code)}; ask again in a moment`;
    throw new CallerError('SITE_FAULT', null, message);
  }
}

function gone(why: string): CallerError {
  return new CallerError('OUTPUT_GONE', null, `the output cannot be had any more: ${why}`);
}
