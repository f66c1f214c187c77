import type { EpochSeconds } from '../domain/clock.ts';
import type { ExecutionOutcome, ExecutionState } from '../domain/execution.ts';
import type { Objective } from '../domain/objective.ts';
import { ownProgram, type Program } from '../domain/program.ts';
import type { SiteRequests } from '../domain/site-requests.ts';
import { type MissPolicy, Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { publishChange } from './events.ts';
import { ANY, gathered, padded } from './gathered.ts';
import { toDate, type WithMoments, withMoments } from './moments.ts';
import { newId } from './new-id.ts';
import {
  type AskedChoices,
  type AskedResources,
  choiceColumns,
  resourceColumn,
  siteRequestColumns,
} from './plan-requests.ts';
import { keepScript, readScript, readScripts } from './scripts.ts';

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
): Promise<{ readonly id: string }> {
  const id = newId();
  const { tenantId, script } = request;
  const scriptHash = await keepScript(tx, script);
  await insertExecution(tx, {
    id,
    ...requestColumns(request, scriptHash),
    state: assignment || request.awaits ? 'HELD' : 'REQUESTED',
    ...(assignment && { ...assignment, submitAt: toDate(assignment.submitAt) }),
    wakeAt: toDate(request.now),
  });
  await publishChange(tx, { type: 'EXECUTION', id, tenantId });
  return { id };
}

/** What is not told of a row is as the table has it by itself. */
const insertExecution = gathered(
  (row: object) => columnsOf(row).join(),
  async (tx, rows) => {
    const columns = Prisma.raw(
      columnsOf(rows[0] ?? {})
        .map((name) => `"${name}"`)
        .join(),
    );
    await tx.$executeRaw`
      INSERT INTO "Execution" (${columns})
      SELECT ${columns} FROM jsonb_populate_recordset(NULL::"Execution", ${JSON.stringify(rows)}::jsonb)`;
    return rows.map(() => undefined);
  },
);

/** Those that are told. */
function columnsOf(row: object): string[] {
  return Object.entries(row).flatMap(([name, value]) => (value === undefined ? [] : [name]));
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

export const findExecution: (db: Db, id: string) => Promise<ExecutionRow | null> = gathered(ANY, async (db, ids) => {
  const rows = new Map((await findExecutions(db, ids)).map((row) => [row.id, row]));
  return ids.map((id) => rows.get(id) ?? null);
});

export async function findExecutions(db: Db, ids: readonly string[]): Promise<ExecutionRow[]> {
  return withMoments(await db.execution.findMany({ where: { id: { in: padded(ids) } } }));
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

/** Notes that the caller wants it cancelled. The first reason stays. Returns false when it had already ended. */
export async function requestCancel(tx: Db, id: string, reason: string, now: EpochSeconds): Promise<boolean> {
  const asked = await tx.execution.updateMany({
    where: { id, state: { not: 'ENDED' }, cancelRequestedAt: null },
    data: { cancelRequestedAt: toDate(now), cancelReason: reason },
  });
  if (asked.count > 0) return true;
  return (await tx.execution.count({ where: { id, state: { not: 'ENDED' } } })) > 0;
}

/** How many executions there are in each state that occurs. */
export async function countExecutionsByState(db: Db): Promise<{ state: ExecutionState; count: number }[]> {
  const groups = await db.execution.groupBy({ by: ['state'], _count: { _all: true } });
  return groups.map(({ state, _count }) => ({ state, count: _count._all }));
}
