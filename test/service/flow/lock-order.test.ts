import { afterAll, beforeAll, expect, test } from 'vitest';
import { coAllocate } from '../../../src/commands/co-allocate.ts';
import { coAllocateStep } from '../../../src/flow/steps/co-allocate.ts';
import { settleStep } from '../../../src/flow/steps/settle.ts';
import { findCoAllocation } from '../../../src/store/co-allocations.ts';
import { changeExecution } from '../../../src/store/execution-changes.ts';
import { findExecution } from '../../../src/store/executions.ts';
import { findLegs } from '../../../src/store/reservations.ts';
import { claimTurn, type Turn, type TurnTable } from '../../../src/store/turns.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';

let world: SteppedWorld;
beforeAll(async () => {
  world = await createSteppedWorld({
    seed: 12,
    sites: ['east', 'west'].map((name, n) => ({
      name,
      processors: 64,
      policy: 'easy' as const,
      workload: { generated: { seed: 80 + n, load: 0.02 } },
      warmDays: 20,
    })),
  });
});
afterAll(() => world.close());

async function newGroup(): Promise<{ groupId: string; executionIds: string[] }> {
  const { commands, principal, clock, database } = world;
  const work = { script: 'sleep 60', arguments: [], processors: 2, walltimeSeconds: 600, queue: null, siteIds: [] };
  const legs = ['a', 'b'].map((legId) => ({ ...work, legId, name: legId }));
  const rule = { rule: 'ALL', atLeast: null, members: [{ legId: 'a' }, { legId: 'b' }] };
  const terms = { rule, rulePath: 'input.rule', ifLegMissed: 'GO_ON', probability: 0.1, idempotencyKey: null };
  const asked = { ...terms, legs, startAt: Math.round(clock.now() + 7200) };
  const { coAllocationId: groupId } = await coAllocate(commands, principal, asked as never);
  const reservations = await findLegs(database.db, [groupId]);
  return { groupId, executionIds: reservations.map(({ executionId }) => executionId) };
}

async function turnAt(table: TurnTable, id: string): Promise<Turn> {
  const turn = await claimTurn(world.database.db, table, id, { milliseconds: 600_000, holder: null });
  if (!turn) throw new Error(`no turn at ${table}`);
  return turn;
}

/** Resolves when a connection of this database waits for a lock. */
async function untilSomebodyWaits(): Promise<void> {
  for (const giveUpAt = performance.now() + 15_000; ; ) {
    const [row] = await world.database.db.$queryRaw<{ waiting: number }[]>`
      SELECT count(*)::int AS "waiting" FROM pg_locks l JOIN pg_database d ON d."datname" = current_database()
       WHERE NOT l."granted" AND (l."database" = d."oid" OR l."locktype" = 'transactionid')`;
    if (row && row.waiting > 0) return;
    if (performance.now() > giveUpAt) throw new Error('nobody waits for a lock');
  }
}

test('a leg that is settled while its group cancels it does not wait for its group with its own row in hand', {
  timeout: 60_000,
}, async () => {
  const { database, clock, principal } = world;
  const { db } = database;
  const { groupId, executionIds } = await newGroup();
  const [executionId = ''] = executionIds;
  const legTurn = await turnAt('Execution', executionId);
  const before = await findExecution(db, executionId);
  if (!before) throw new Error('no execution');
  const ended = { state: 'ENDED', outcome: 'CANCELLED', endedAt: clock.now() } as const;
  await database.transaction((tx) => changeExecution(tx, legTurn, before, ended, clock.now()));
  const execution = { ...before, ...ended };
  const reservation = (await findLegs(db, [groupId])).find((leg) => leg.executionId === executionId) ?? null;

  const groupTurn = await turnAt('CoAllocation', groupId);
  await db.coAllocation.update({ where: { id: groupId }, data: { cancelRequestedAt: new Date(clock.now() * 1000) } });
  const group = await findCoAllocation(db, groupId);
  if (!group) throw new Error('no group');
  expect(group.tenantId).toBe(principal.tenantId);

  // The group's own step, held up after it has locked its row and before it turns to its legs.
  let settling: Promise<unknown> = Promise.resolve();
  const worker = world.worker({
    database: (plain) => ({
      ...plain,
      transaction: (work, timeout) =>
        plain.transaction(async (tx) => {
          await tx.$executeRaw`SELECT 1 FROM "CoAllocation" WHERE "id" = ${groupId}::uuid FOR NO KEY UPDATE`;
          settling = settleStep({ context: world.worker(), turn: legTurn, execution, reservation });
          settling.catch(() => undefined);
          await untilSomebodyWaits();
          await tx.$executeRaw`UPDATE "Execution" SET "cancelReason" = 'the group' WHERE "id" = ${executionId}::uuid`;
          return work(tx);
        }, timeout),
    }),
  });
  await expect(coAllocateStep(worker, groupTurn, group)).resolves.toEqual({ wakeAt: null });
  await expect(settling).resolves.toEqual({ wakeAt: null });
  expect(await findExecution(db, executionId)).toMatchObject({ state: 'ENDED', cancelReason: 'the group' });
});
