import type { EpochSeconds } from '../domain/clock.ts';
import {
  EXECUTION_MOVES,
  type ExecutionChange,
  type ExecutionOutcome,
  type ExecutionState,
} from '../domain/execution.ts';
import { StaleTurn } from '../domain/failures.ts';
import type { Objective } from '../domain/objective.ts';
import { ownProgram, type Program } from '../domain/program.ts';
import type { SiteRequests } from '../domain/site-requests.ts';
import { assertMove } from '../domain/state-machine.ts';
import type { MissPolicy, Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { publishChange } from './events.ts';
import { toDate, type WithMoments, withMoments } from './moments.ts';
import { wakeRow, wakeSuccessors } from './outbox.ts';
import {
  type AskedChoices,
  type AskedResources,
  choiceColumns,
  resourceColumn,
  siteRequestColumns,
} from './plan-requests.ts';
import { keepScript, readScript, readScripts } from './scripts.ts';
import type { Turn } from './turns.ts';

/** One execution, every moment in epoch seconds. */
export type ExecutionRow = WithMoments<Prisma.ExecutionGetPayload<Record<string, never>>>;

/** What a caller asked for, as written down before anything is planned. */
export interface NewExecution extends SiteRequests {
  readonly tenantId: string;
  readonly principalId: string;
  readonly requestId: string;
  readonly name: string;
  readonly script: string;
  readonly arguments: readonly string[];
  readonly processors: number;
  readonly walltimeSeconds: number;
  /** Beside processors and walltime; nothing unless told. */
  readonly resources?: AskedResources;
  /** Of an automatic walltime: the risk that is accepted, and the most that is asked for, null for any. */
  readonly walltimeRisk?: number;
  readonly walltimeAtMostSeconds?: number | null;
  readonly queue: string | null;
  /** Absent for one that runs at its stated size. */
  readonly choices?: AskedChoices;
  readonly allowedSiteIds: readonly string[];
  /** None unless told; the same of tags that a site must bear. */
  readonly excludedSiteIds?: readonly string[];
  readonly requiredTags?: readonly string[];
  /** Earliest finish unless told. */
  readonly objective?: Objective;
  /** Charge in the worst case, and risk, at most; null or absent for any. */
  readonly maxChargeProcessorSeconds?: number | null;
  readonly maxRisk?: number | null;
  readonly deadlineAt: EpochSeconds | null;
  /** For how long it may be held back for a better moment; not at all unless told. */
  readonly maxDelaySeconds?: number | null;
  /** The same so that it does not start into a burst of its site's IO. */
  readonly avoidIoBurstsSeconds?: number | null;
  /** Whether it comes after others, for which it waits first; not unless told. */
  readonly awaits?: boolean;
  /** Of an automatic walltime that is chosen already. */
  readonly walltimePredictor?: string | null;
  /** What was asked of its finish by `deadlineAt` and promised, and what becomes of it then; nothing unless told. */
  readonly finishProbability?: number;
  readonly promisedFinishProbability?: number;
  readonly currentFinishProbability?: number;
  readonly ifDeadlineMissed?: MissPolicy;
  /** Whether it is to be submitted ahead of the last end of those; not unless told. */
  readonly startsAhead?: boolean;
  /** By which it is found; none unless told. */
  readonly idempotencyKey?: string | null;
  readonly labels?: readonly string[];
  /** When it is run again; never unless told. */
  readonly retryOn?: readonly ExecutionOutcome[];
  readonly mostTries?: number;
  readonly retryWalltimeAtMostSeconds?: number | null;
  readonly retryMemoryAtMostMebibytes?: number | null;
  readonly retryMemoryFactor?: number;
  readonly now: EpochSeconds;
}

/** Where an execution goes and when: what planning decided. */
export interface Assignment {
  readonly siteId: string;
  readonly siteQueue: string | null;
  readonly submitAt: EpochSeconds;
}

/**
 * Writes a request down: `REQUESTED`, or `HELD` when its site and submission time are already decided, or it comes
 * after others.
 */
export async function createExecution(
  tx: Db,
  request: NewExecution,
  assignment: Assignment | null,
): Promise<ExecutionRow> {
  const scriptHash = await keepScript(tx, request.script);
  const state = assignment || request.awaits ? 'HELD' : 'REQUESTED';
  const row = await tx.execution.create({
    data: {
      ...requestColumns(request, scriptHash),
      state,
      ...(assignment && { ...assignment, submitAt: toDate(assignment.submitAt) }),
      wakeAt: toDate(request.now),
    },
  });
  await publishChange(tx, { type: 'EXECUTION', id: row.id, tenantId: row.tenantId });
  return withMoments(row);
}

/** A request as the columns keep it. */
export function requestColumns(asked: NewExecution, scriptHash: string) {
  const {
    script: _script,
    now,
    choices,
    resources,
    sites,
    terms,
    environment,
    workFolder,
    mail,
    staging,
    ...request
  } = asked;
  const { excludedSiteIds = [], requiredTags = [], labels = [], retryOn = [] } = request;
  return {
    ...request,
    scriptHash,
    ...resourceColumn(resources),
    ...siteRequestColumns({ sites, terms, environment, workFolder, mail, staging }),
    ...(choices && choiceColumns(choices, request)),
    arguments: [...request.arguments],
    allowedSiteIds: [...request.allowedSiteIds],
    excludedSiteIds: [...excludedSiteIds],
    requiredTags: [...requiredTags],
    labels: [...labels],
    retryOn: [...retryOn],
    deadlineAt: toDate(request.deadlineAt),
    createdAt: toDate(now),
    updatedAt: toDate(now),
  };
}

/** What an execution runs, as far as it is kept. */
export type KeptProgram = Pick<ExecutionRow, 'name' | 'arguments' | 'scriptHash'>;

/** What predictors are told of the text of an execution. */
export async function readProgram(db: Db, { name, arguments: args, scriptHash }: KeptProgram): Promise<Program> {
  return ownProgram({ name, script: await readScript(db, scriptHash), arguments: args });
}

/** The same of several, in their order. */
export async function readPrograms(db: Db, executions: readonly KeptProgram[]): Promise<Program[]> {
  const texts = await readScripts(
    db,
    executions.flatMap(({ scriptHash }) => scriptHash ?? []),
  );
  return executions.map(({ name, arguments: args, scriptHash }) => {
    return ownProgram({ name, script: texts.get(scriptHash ?? '') ?? null, arguments: args });
  });
}

export async function findExecution(db: Db, id: string): Promise<ExecutionRow | null> {
  return withMoments(await db.execution.findUnique({ where: { id } }));
}

export async function findExecutions(db: Db, ids: readonly string[]): Promise<ExecutionRow[]> {
  return withMoments(await db.execution.findMany({ where: { id: { in: [...ids] } } }));
}

/** Those of the site's jobs of these ids that are ended and booked. */
export async function listSettled(db: Db, siteId: string, nativeIds: readonly string[]): Promise<ExecutionRow[]> {
  const found = await db.$queryRaw<{ id: string }[]>`
    SELECT "id"::text AS "id" FROM "Execution"
     WHERE "siteId" = ${siteId}::uuid AND "state" = 'ENDED' AND "settledAt" IS NOT NULL
       AND "nativeId" = ANY(${[...nativeIds]}::text[])`;
  return found.length === 0
    ? []
    : findExecutions(
        db,
        found.map(({ id }) => id),
      );
}

/** The executions that may hold a native job at a site. */
export async function listTrackedExecutions(db: Db, siteId: string): Promise<ExecutionRow[]> {
  return withMoments(await db.execution.findMany({ where: { siteId, state: { in: ['QUEUED', 'RUNNING'] } } }));
}

/** How many executions are at a site: those that may have a job there, and all that have not ended. */
export async function countAtSite(db: Db, siteId: string): Promise<{ submitted: number; open: number }> {
  const [submitted, open] = await Promise.all([
    db.execution.count({ where: { siteId, state: { in: ['SUBMITTING', 'QUEUED', 'RUNNING'] } } }),
    db.execution.count({ where: { siteId, state: { not: 'ENDED' } } }),
  ]);
  return { submitted, open };
}

/**
 * Writes a step's result and announces it. A change of state must be a legal move. Whatever comes after an execution
 * that ends is woken, and so is the group of a task that is booked.
 * @throws StaleTurn when another worker has taken the turn
 */
export async function changeExecution(
  tx: Db,
  turn: Turn,
  execution: ChangedExecution,
  change: ExecutionChange,
  now: EpochSeconds,
): Promise<void> {
  await write(tx, turn, execution, change, now, null);
}

/**
 * The same as the last of a turn, which it gives back, in one statement: the row wants its next one then. False where
 * somebody has asked for a turn meanwhile; the turn is still to be ended then.
 */
export async function changeAndRelease(
  tx: Db,
  turn: Turn,
  execution: ChangedExecution,
  change: ExecutionChange,
  now: EpochSeconds,
  wakeAt: EpochSeconds | null,
): Promise<boolean> {
  return write(tx, turn, execution, change, now, { leaseExpiresAt: null, wakeAt: toDate(wakeAt) });
}

type ChangedExecution = Pick<ExecutionRow, 'id' | 'tenantId' | 'state' | 'groupId'>;

/** @returns whether the turn was given back, too */
async function write(
  tx: Db,
  turn: Turn,
  execution: ChangedExecution,
  change: ExecutionChange,
  now: EpochSeconds,
  release: { readonly leaseExpiresAt: null; readonly wakeAt: Date | null } | null,
): Promise<boolean> {
  if (change.state && change.state !== execution.state) {
    assertMove(`execution ${execution.id}`, EXECUTION_MOVES, execution.state, change.state);
  }
  const data = { ...withDates(change), updatedAt: toDate(now) };
  const where = { id: execution.id, version: turn.version };
  const released =
    release && (await tx.execution.updateMany({ where: { ...where, wakeAt: null }, data: { ...data, ...release } }));
  const isReleased = released !== null && released.count > 0;
  if (!isReleased) {
    const { count } = await tx.execution.updateMany({ where, data });
    if (count === 0) throw new StaleTurn(`execution ${execution.id}`);
  }
  if (change.state === 'ENDED') await wakeSuccessors(tx, execution.id, now);
  const { groupId } = execution;
  if (groupId !== null && change.settledAt) await wakeRow(tx, 'JobGroup', groupId, now + GROUP_PAUSE_SECONDS, null);
  await publishChange(tx, { type: 'EXECUTION', id: execution.id, tenantId: execution.tenantId });
  return isReleased;
}

/** Tasks that end together wake their group once. */
const GROUP_PAUSE_SECONDS = 1;

/** Notes that the caller wants it cancelled. The first reason stays. Returns false when it had already ended. */
export async function requestCancel(tx: Db, id: string, reason: string, now: EpochSeconds): Promise<boolean> {
  const asked = await tx.execution.updateMany({
    where: { id, state: { not: 'ENDED' }, cancelRequestedAt: null },
    data: { cancelRequestedAt: toDate(now), cancelReason: reason },
  });
  if (asked.count > 0) return true;
  return (await tx.execution.count({ where: { id, state: { not: 'ENDED' } } })) > 0;
}

const MOMENTS = [
  ...(['submitAt', 'heldBackSince', 'nativeSubmittedAt', 'startedAt', 'endedAt', 'deadlineMissedAt'] as const),
  ...(['missingSince', 'settledAt', 'readyAt', 'gateOpenedAt'] as const),
] as const;

function withDates(change: ExecutionChange): Prisma.ExecutionUncheckedUpdateManyInput {
  const dates = MOMENTS.filter((key) => change[key] !== undefined).map((key) => [key, toDate(change[key] ?? null)]);
  return { ...change, ...Object.fromEntries(dates) } as Prisma.ExecutionUncheckedUpdateManyInput;
}

/** How many executions there are in each state that occurs. */
export async function countExecutionsByState(db: Db): Promise<{ state: ExecutionState; count: number }[]> {
  const groups = await db.execution.groupBy({ by: ['state'], _count: { _all: true } });
  return groups.map(({ state, _count }) => ({ state, count: _count._all }));
}
