import type { EpochSeconds } from '../domain/clock.ts';
import {
  publicAddress,
  type RecordedFault,
  type StageDirection,
  type StagedFileState,
  type StageFinding,
  type StageRequest,
  type StagingState,
  stageFinding,
  withLastStatus,
} from '../domain/staging.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { publishChange } from './events.ts';
import type { ExecutionRow } from './executions.ts';
import { toDate, type WithMoments, withMoments } from './moments.ts';
import { enqueueWakeUps, wakeRow } from './outbox.ts';
import { stageRequestOf } from './plan-requests.ts';
import { assertTurn, type Turn } from './turns.ts';

const WITH_FILES = {
  files: { orderBy: [{ direction: 'asc' as const }, { position: 'asc' as const }] },
} satisfies Prisma.StagingInclude;

/** The folder of one try of an execution at one site, and every file that is moved into it and out of it. */
export type StagingRow = WithMoments<Prisma.StagingGetPayload<{ include: typeof WITH_FILES }>>;

/** One of its files. */
export type StagedFileRow = StagingRow['files'][number];

/** What a step may write of a staging. */
export interface StagingChange {
  readonly state?: StagingState;
  readonly folder?: string;
  readonly keepsFolder?: boolean;
  readonly deadlineAt?: EpochSeconds;
  readonly faults?: number;
  readonly fault?: RecordedFault | null;
  readonly endedAt?: EpochSeconds;
}

/** What a step may write of one of its files. */
export interface StagedFileChange {
  readonly state?: StagedFileState;
  readonly bytes?: number | null;
  readonly movedBytes?: number;
  readonly sourceVersion?: string | null;
  readonly hashState?: string | null;
  readonly sha256?: string;
  readonly fault?: RecordedFault | null;
  readonly restarts?: number;
  readonly movingSeconds?: number;
  readonly vainBytes?: number;
}

/** A file as it is told of a job. */
export interface FileOfJob {
  readonly path: string;
  readonly direction: StageDirection;
  readonly state: StagedFileState;
  readonly bytes: number | null;
  readonly movedBytes: number;
  readonly sha256: string | null;
  /** What went wrong with it last. */
  readonly finding: StageFinding | null;
}

/** Begins to move what is asked for an execution to the site that was chosen for it, and asks for the first turn. */
export async function createStaging(
  tx: Db,
  execution: Pick<ExecutionRow, 'id' | 'tenantId' | 'failedTries' | 'requestId'>,
  what: {
    readonly siteId: string;
    readonly request: StageRequest;
    readonly deadlineAt: EpochSeconds;
    readonly now: EpochSeconds;
  },
): Promise<void> {
  const { siteId, request, deadlineAt, now } = what;
  const { id: executionId, tenantId, failedTries, requestId } = execution;
  const { id } = await tx.staging.create({
    data: {
      ...{ tenantId, executionId, siteId, failedTries, state: 'FILLING', keepsFolder: request.folder === 'KEEP' },
      ...{ deadlineAt: toDate(deadlineAt), createdAt: toDate(now), wakeAt: toDate(now) },
      files: { create: filesOf(request) },
    },
  });
  await enqueueWakeUps(tx, [{ kind: 'STAGING', targetId: id, wakeAt: now, requestId }]);
  await publishChange(tx, { type: 'EXECUTION', id: executionId, tenantId });
}

function filesOf(request: StageRequest) {
  const into = request.in.map(({ from, to, bytes = null, sha256 = null }, position) => {
    return { direction: 'IN' as const, position, path: to, address: from, statedBytes: bytes, statedSha256: sha256 };
  });
  const out = request.out.map(({ from, to }, position) => {
    return { direction: 'OUT' as const, position, path: from, address: to };
  });
  return [...into, ...out];
}

export async function findStaging(db: Db, id: string): Promise<StagingRow | null> {
  return withMoments(await db.staging.findUnique({ where: { id }, include: WITH_FILES }));
}

/** The newest of an execution; null before the first. */
export async function findNewestStaging(db: Db, executionId: string): Promise<StagingRow | null> {
  const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
  return withMoments(await db.staging.findFirst({ where: { executionId }, orderBy, include: WITH_FILES }));
}

/**
 * Writes a step's result and tells those who follow the job.
 * @throws StaleTurn when another worker has taken the turn
 */
export async function changeStaging(
  tx: Db,
  turn: Turn,
  { id, executionId, tenantId }: StagingRow,
  change: StagingChange,
): Promise<void> {
  await assertTurn(tx, turn);
  const { deadlineAt, endedAt, ...others } = change;
  const dates = {
    ...(deadlineAt !== undefined && { deadlineAt: toDate(deadlineAt) }),
    ...(endedAt !== undefined && { endedAt: toDate(endedAt) }),
  };
  await tx.staging.update({ where: { id }, data: { ...others, ...dates } });
  await publishChange(tx, { type: 'EXECUTION', id: executionId, tenantId });
}

/** Writes how far a file is, in the transaction of a step. */
export async function changeStagedFile(
  tx: Db,
  { stagingId, direction, position }: Pick<StagedFileRow, 'stagingId' | 'direction' | 'position'>,
  change: StagedFileChange,
): Promise<void> {
  const where = { stagingId_direction_position: { stagingId, direction, position } };
  await tx.stagedFile.update({ where, data: change });
}

/** Says of every file that still waits or moves that it is not wanted any more. */
export async function skipFiles(tx: Db, stagingId: string): Promise<void> {
  const which = { stagingId, state: { in: ['WAITING' as const, 'MOVING' as const] } };
  await tx.stagedFile.updateMany({ where: which, data: { state: 'SKIPPED' } });
}

/** Has the folders of a tenant at a site removed that were kept before its newest so many. */
export async function endOldestKept(
  tx: Db,
  { tenantId, siteId }: StagingRow,
  mostKept: number,
  now: EpochSeconds,
): Promise<void> {
  const oldest = await tx.staging.findMany({
    where: { tenantId, siteId, state: 'KEPT', deadlineAt: { gt: toDate(now) } },
    select: { id: true },
    orderBy: [{ deadlineAt: 'desc' }, { id: 'desc' }],
    skip: mostKept,
    take: MOST_ENDED_AT_ONCE,
  });
  for (const { id } of oldest.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    await tx.staging.update({ where: { id }, data: { deadlineAt: toDate(now) } });
    await wakeRow(tx, 'Staging', id, now, null);
  }
}

/**
 * Gives up the outputs of an execution that are still being moved: their time is over now. What the job has written
 * stays in its folder, as of any that could not be moved in time.
 * @returns whether there were any
 */
export async function giveUpOutputs(tx: Db, executionId: string, now: EpochSeconds): Promise<boolean> {
  const [emptying] = await tx.staging.findMany({ where: { executionId, state: 'EMPTYING' }, select: { id: true } });
  if (!emptying) return false;
  await tx.staging.update({ where: { id: emptying.id }, data: { deadlineAt: toDate(now) } });
  await wakeRow(tx, 'Staging', emptying.id, now, null);
  return true;
}

/** More than come to be too many at once; those above that are found with the next folder. */
const MOST_ENDED_AT_ONCE = 100;

/** Forgets of addresses what may be secret in them: nothing is moved from there or to there any more. */
export async function forgetAddresses(tx: Db, { files }: StagingRow): Promise<void> {
  for (const file of files) {
    const { stagingId, direction, position, address } = file;
    const where = { stagingId_direction_position: { stagingId, direction, position } };
    await tx.stagedFile.update({ where, data: { address: publicAddress(address), hashState: null } });
  }
}

/** The same of what was asked for an execution that is over. */
export async function forgetRequestedAddresses(tx: Db, execution: ExecutionRow): Promise<void> {
  const request = stageRequestOf(execution);
  if (!request) return;
  const staging = {
    ...request,
    in: request.in.map((file) => ({ ...file, from: publicAddress(file.from) })),
    out: request.out.map((file) => ({ ...file, to: publicAddress(file.to) })),
  };
  await tx.execution.update({ where: { id: execution.id }, data: { staging: staging as Prisma.InputJsonObject } });
}

/** Says of every file that still waits or moves in the present direction that it cannot be moved. */
export async function failFiles(tx: Db, { files, state }: StagingRow, fault: RecordedFault): Promise<void> {
  const moved = state === 'FILLING' ? 'IN' : 'OUT';
  const open = files.filter(
    (file) => file.direction === moved && (file.state === 'WAITING' || file.state === 'MOVING'),
  );
  for (const file of open) {
    await changeStagedFile(tx, file, { state: 'FAILED', fault: withLastStatus(fault, file.fault) });
  }
}

/** Has what was moved for an execution that is over looked after; where nothing was, its addresses are forgotten. */
export async function endStaging(tx: Db, execution: ExecutionRow, now: EpochSeconds): Promise<void> {
  if ((await wakeStagings(tx, execution.id, now)) === 0) await forgetRequestedAddresses(tx, execution);
}

/** Asks for a turn of what is moved for an execution. Returns how many there are that have not ended. */
export async function wakeStagings(tx: Db, executionId: string, now: EpochSeconds): Promise<number> {
  const open = await tx.staging.findMany({
    where: { executionId, state: { not: 'ENDED' } },
    select: { id: true },
    orderBy: { id: 'asc' },
  });
  for (const { id } of open) await wakeRow(tx, 'Staging', id, now, null);
  return open.length;
}

/** What is moved for an execution, and where to. */
export interface StagedForJob {
  /** From / on at its site; null until it was made. */
  readonly folder: string | null;
  /** Until when it stays after the job; null where it is not kept, or not yet, or no more. */
  readonly keptUntil: EpochSeconds | null;
  readonly files: readonly FileOfJob[];
}

/** The same of executions, in their order: of the newest try at a site, and before that as it was asked. */
export async function findStaged(db: Db, executions: readonly ExecutionRow[]): Promise<StagedForJob[]> {
  const ids = executions.map(({ id }) => id);
  const found = await db.staging.findMany({
    where: { executionId: { in: ids } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    include: WITH_FILES,
  });
  const newest = new Map(found.map((staging) => [staging.executionId, withMoments(staging)]));
  return executions.map((execution) => {
    const staging = newest.get(execution.id);
    if (!staging) return { folder: null, keptUntil: null, files: askedFiles(execution) };
    const files = staging.files.map(({ path, direction, state, bytes, movedBytes, sha256, fault }) => {
      return {
        path,
        direction,
        state,
        bytes,
        movedBytes,
        sha256,
        finding: fault === null ? null : stageFinding(fault),
      };
    });
    return { folder: staging.folder, keptUntil: staging.state === 'KEPT' ? staging.deadlineAt : null, files };
  });
}

function askedFiles(execution: ExecutionRow): FileOfJob[] {
  const request = stageRequestOf(execution);
  const state = execution.state === 'ENDED' ? ('SKIPPED' as const) : ('WAITING' as const);
  return (request ? filesOf(request) : []).map(({ path, direction }) => {
    return { path, direction, state, bytes: null, movedBytes: 0, sha256: null, finding: null };
  });
}
