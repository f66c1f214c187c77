import type { EpochSeconds } from '../domain/clock.ts';
import { EXECUTION_MOVES, type ExecutionChange } from '../domain/execution.ts';
import { StaleTurn } from '../domain/failures.ts';
import { assertMove } from '../domain/state-machine.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { publishChange } from './events.ts';
import type { ExecutionRow } from './executions.ts';
import { gathered } from './gathered.ts';
import { toDate } from './moments.ts';
import { wakeRow, wakeSuccessors } from './outbox.ts';
import type { Turn } from './turns.ts';

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
  return write(tx, turn, execution, change, now, { wakeAt });
}

type ChangedExecution = Pick<ExecutionRow, 'id' | 'tenantId' | 'state' | 'groupId'>;

/** That a turn is given back, and when the row wants its next one. */
interface Release {
  readonly wakeAt: EpochSeconds | null;
}

/** @returns whether the turn was given back, too */
async function write(
  tx: Db,
  turn: Turn,
  execution: ChangedExecution,
  change: ExecutionChange,
  now: EpochSeconds,
  release: Release | null,
): Promise<boolean> {
  const { id, tenantId, state, groupId } = execution;
  if (change.state && change.state !== state) {
    assertMove(`execution ${id}`, EXECUTION_MOVES, state, change.state);
  }
  const values = { ...withDates(change), updatedAt: toDate(now) };
  const row = { id, version: turn.version };
  const released = { ...values, wakeAt: toDate(release?.wakeAt ?? null) };
  const isReleased = release !== null && (await writeRow(tx, { ...row, values: released, isRelease: true }));
  if (!isReleased && !(await writeRow(tx, { ...row, values, isRelease: false }))) {
    throw new StaleTurn(`execution ${id}`);
  }
  if (change.state === 'ENDED') await wakeSuccessors(tx, id, now);
  if (groupId !== null && change.settledAt) await wakeGroupOfEnded(tx, groupId, now);
  await publishChange(tx, { type: 'EXECUTION', id, tenantId });
  return isReleased;
}

/** Columns of one row and what is written into them. */
interface WrittenRow {
  readonly id: string;
  readonly version: number;
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether the turn is given back, which only one does for which nobody wants another turn yet. */
  readonly isRelease: boolean;
}

/** Writes rows of which the same columns change, in the order of their ids. False for each that another worker has. */
const writeRow = gathered(
  ({ values, isRelease }: WrittenRow) => `${isRelease} ${Object.keys(values).join()}`,
  async (tx, rows): Promise<boolean[]> => {
    const [first] = rows;
    const columns = Object.keys(first?.values ?? {});
    const told = rows.map(({ id, version, values }) => ({ ...values, id, version }));
    const release = first?.isRelease ? Prisma.sql`, "leaseExpiresAt" = NULL` : Prisma.empty;
    const condition = first?.isRelease ? Prisma.sql`AND e."wakeAt" IS NULL` : Prisma.empty;
    const written = await tx.$queryRaw<{ id: string }[]>`
      WITH told AS (SELECT * FROM jsonb_populate_recordset(NULL::"Execution", ${JSON.stringify(told)}::jsonb)),
      held AS (
        SELECT e."id" FROM told JOIN "Execution" e ON e."id" = told."id"
         WHERE e."version" = told."version" ${condition} ORDER BY e."id" FOR NO KEY UPDATE OF e)
      UPDATE "Execution" e SET ${Prisma.raw(columns.map((name) => `"${name}" = told."${name}"`).join())} ${release}
        FROM told JOIN held ON held."id" = told."id" WHERE e."id" = told."id"
      RETURNING e."id"::text AS "id"`;
    const ids = new Set(written.map(({ id }) => id));
    return rows.map(({ id }) => ids.has(id));
  },
);

/** Has a group look how its tasks stand, soon: those that end together wake it once. */
export function wakeGroupOfEnded(tx: Db, groupId: string, now: EpochSeconds): Promise<void> {
  return wakeRow(tx, 'JobGroup', groupId, now + GROUP_PAUSE_SECONDS, null);
}

const GROUP_PAUSE_SECONDS = 1;

const MOMENTS = [
  ...(['submitAt', 'heldBackSince', 'nativeSubmittedAt', 'startedAt', 'endedAt', 'deadlineMissedAt'] as const),
  ...(['missingSince', 'neverStartsSince', 'limitedAloneSince', 'soughtSince', 'settledAt'] as const),
  ...(['readyAt', 'gateOpenedAt'] as const),
] as const;

/** What is to change, every moment as a date; columns that are left as they are are absent. */
function withDates(change: ExecutionChange): Record<string, unknown> {
  const dates = MOMENTS.map((key) => [key, change[key] === undefined ? undefined : toDate(change[key])]);
  const values = Object.entries({ ...change, ...Object.fromEntries(dates) });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}
