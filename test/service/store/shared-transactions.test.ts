import { afterAll, beforeAll, expect, test } from 'vitest';
import { StaleTurn } from '../../../src/domain/failures.ts';
import { type Database, openDatabase } from '../../../src/store/database.ts';
import { publishChange } from '../../../src/store/events.ts';
import { takeWakeUps, wakeRow } from '../../../src/store/outbox.ts';
import { createSite } from '../../../src/store/sites.ts';
import { StatementCounts } from '../../../src/store/statements.ts';
import { assertTurn, claimTurn } from '../../../src/store/turns.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

const WRITERS = 20;
const LEASE = { milliseconds: 60_000, holder: null };

let stores: TestDatabase;
let counted: Database;
const counts = new StatementCounts();
let ids: string[] = [];
beforeAll(async () => {
  stores = await createTestDatabase();
  counted = openDatabase(stores.url, 4, () => undefined, counts);
  for (let n = 0; n < WRITERS; n++) {
    const site = { name: `site-${n}`, adapter: 'simulator', configuration: {}, now: 1000 };
    ids = [...ids, (await createSite(stores.database.db, site)).id];
  }
});
afterAll(async () => {
  await counted.close();
  await stores.drop();
});

const sent = () => [...counts.entries()].reduce((sum, [, count]) => sum + count, 0);

/** Wakes a row and tells of it, all of them at a time; some hold a turn that is lost. */
function wakeAll(at: number, isStale: (n: number) => boolean): Promise<PromiseSettledResult<void>[]> {
  return Promise.allSettled(
    ids.map((id, n) =>
      counted.sharedTransaction(async (tx) => {
        await wakeRow(tx, 'Site', id, at, null);
        await publishChange(tx, { type: 'SITE', id, tenantId: null });
        if (isStale(n)) await assertTurn(tx, { table: 'Site', id, version: -1, wakeAt: null });
      }),
    ),
  );
}

test('those who write at a time send the statements of one, and all of them are committed', async () => {
  const before = sent();
  const ended = await wakeAll(500, () => false);
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(WRITERS);
  // Begin, rows, outbox, changes, commit.
  expect(sent() - before).toBe(5);
  const wakeUps = await takeWakeUps(stores.database.db, 100);
  expect(wakeUps.map(({ targetId }) => targetId).toSorted()).toEqual(ids.toSorted());
});

test('one whose turn is lost writes nothing and takes nobody with it', async () => {
  const ended = await wakeAll(400, (n) => n === 7);
  expect(ended.map(({ status }) => status)).toEqual(ids.map((_, n) => (n === 7 ? 'rejected' : 'fulfilled')));
  expect(ended[7]).toMatchObject({ reason: expect.any(StaleTurn) });
  const woken = (await takeWakeUps(stores.database.db, 100)).map(({ targetId }) => targetId);
  expect(woken.toSorted()).toEqual(ids.filter((_, n) => n !== 7).toSorted());
});

test('turns that are asked for at a time are given by one statement, each once', async () => {
  const before = sent();
  const claims = await Promise.all([...ids, ...ids].map((id) => claimTurn(counted.db, 'Site', id, LEASE)));
  expect(sent() - before).toBe(1);
  expect(claims.slice(0, WRITERS).map((turn) => turn?.id)).toEqual(ids);
  expect(claims.slice(WRITERS).every((turn) => turn === null)).toBe(true);
});
