import { afterAll, beforeAll, expect, test } from 'vitest';
import { StaleTurn } from '../../../src/domain/failures.ts';
import { endTurn } from '../../../src/flow/turn.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { findOverdueWakeUps, takeWakeUps, wakeRow } from '../../../src/store/outbox.ts';
import { findGone } from '../../../src/store/presence.ts';
import { createSite } from '../../../src/store/sites.ts';
import {
  assertTurn,
  claimDueTurn,
  claimTurn,
  endLeasesOf,
  listLeaseHolders,
  releaseTurn,
  renewTurn,
} from '../../../src/store/turns.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

let test_: TestDatabase;
beforeAll(async () => {
  test_ = await createTestDatabase();
});
afterAll(() => test_.drop());

const LONG_LEASE = { milliseconds: 60_000, holder: null };
let siteNumber = 0;

async function newSite(): Promise<string> {
  const site = { name: `site-${siteNumber++}`, adapter: 'simulator', configuration: {}, now: 1000 };
  return (await createSite(test_.database.db, site)).id;
}

test('a turn is had by one worker at a time and free again after its release', async () => {
  const { db } = test_.database;
  const id = await newSite();
  const claims = await Promise.all(Array.from({ length: 8 }, () => claimTurn(db, 'Site', id, LONG_LEASE)));
  const [turn, ...others] = claims.filter((claim) => claim !== null);
  expect(others).toEqual([]);
  if (!turn) throw new Error('nobody got the turn');
  await releaseTurn(db, turn, null);
  expect(await claimTurn(db, 'Site', id, LONG_LEASE)).toMatchObject({ version: turn.version + 1 });
});

test('a worker that outlived its lease cannot write any more, and its transaction leaves nothing', async () => {
  const { db, transaction } = test_.database;
  const id = await newSite();
  const paused = await claimTurn(db, 'Site', id, { milliseconds: 1, holder: null });
  if (!paused) throw new Error('nobody got the turn');
  await new Promise((resolve) => setTimeout(resolve, 20));
  const heir = await claimTurn(db, 'Site', id, LONG_LEASE);
  if (!heir) throw new Error('the lease did not run out');

  const late = transaction(async (tx) => {
    await wakeRow(tx, 'Site', id, 5, null);
    await assertTurn(tx, paused);
  });
  await expect(late).rejects.toThrow(StaleTurn);
  await expect(releaseTurn(db, paused, 77)).rejects.toThrow(StaleTurn);
  expect(await takeWakeUps(db, 10)).toEqual([]);
  await expect(assertTurn(db, heir)).resolves.toBeUndefined();
});

test('a wake-up leaves the outbox once, whoever asks, and stays when the transaction fails', async () => {
  const { transaction } = test_.database;
  const id = await newSite();
  await transaction((tx) => wakeRow(tx, 'Site', id, 234.5, 'request-1'));
  const failing = transaction(async (tx) => {
    expect(await takeWakeUps(tx, 10)).toHaveLength(1);
    throw new Error('the queue is down');
  });
  await expect(failing).rejects.toThrow('the queue is down');
  const taken = await Promise.all(Array.from({ length: 4 }, () => transaction((tx) => takeWakeUps(tx, 10))));
  expect(taken.flat()).toEqual([{ kind: 'SITE', targetId: id, wakeAt: 234.5, requestId: 'request-1' }]);
});

test('a turn asked for while another one goes on comes when that ends, whatever that one wants', async () => {
  const { db } = test_.database;
  const id = await newSite();
  const turn = await claimTurn(db, 'Site', id, LONG_LEASE);
  if (!turn) throw new Error('nobody got the turn');
  expect(turn.wakeAt).toBe(1000);
  await wakeRow(db, 'Site', id, 2000, null);
  await releaseTurn(db, turn, 5000);
  await takeWakeUps(db, 10);
  expect((await claimTurn(db, 'Site', id, LONG_LEASE))?.wakeAt).toBe(2000);
});

test('a wake-up that is early, outdated or meets another worker gets no turn and leaves nothing', async () => {
  const { db } = test_.database;
  const id = await newSite();
  expect(await claimDueTurn(db, 'Site', id, LONG_LEASE, 999)).toBeNull();
  const turn = await claimDueTurn(db, 'Site', id, LONG_LEASE, 1000);
  if (!turn) throw new Error('nobody got the turn');
  expect(await claimDueTurn(db, 'Site', id, LONG_LEASE, 1001)).toBeNull();
  await releaseTurn(db, turn, null);
  expect(await claimDueTurn(db, 'Site', id, LONG_LEASE, 1e9)).toBeNull();
  expect(await takeWakeUps(db, 10)).toEqual([]);
});

test('a row that is asked to wake again and again has one wake-up', async () => {
  const { db } = test_.database;
  const id = await newSite();
  for (const wakeAt of [900, 900, 950, 1000, 2000]) await wakeRow(db, 'Site', id, wakeAt, null);
  expect((await takeWakeUps(db, 10)).map(({ wakeAt }) => wakeAt)).toEqual([900]);
});

test('the turn that was asked for while another one went on is enqueued when that ends', async () => {
  const { database } = test_;
  const { db } = database;
  const id = await newSite();
  const turn = await claimTurn(db, 'Site', id, LONG_LEASE);
  if (!turn) throw new Error('nobody got the turn');
  await wakeRow(db, 'Site', id, 2000, null);
  expect(await takeWakeUps(db, 10)).toEqual([]);
  await database.transaction((tx) => endTurn(tx, turn, 5000));
  expect((await takeWakeUps(db, 10)).map(({ wakeAt }) => wakeAt)).toEqual([2000]);
});

test('the sweeper finds a row whose worker let its lease run out', async () => {
  const { db } = test_.database;
  const id = await newSite();
  await claimTurn(db, 'Site', id, { milliseconds: 1, holder: null });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect((await findOverdueWakeUps(db, 0, 100)).map(({ targetId }) => targetId)).toContain(id);
});

test('the sweeper finds overdue rows that nobody works on', async () => {
  const { db } = test_.database;
  const overdue = await newSite();
  const worked = await newSite();
  await claimTurn(db, 'Site', worked, LONG_LEASE);
  const found = (await findOverdueWakeUps(db, 1001, 100)).map(({ targetId }) => targetId);
  expect(found).toContain(overdue);
  expect(found).not.toContain(worked);
  expect((await findOverdueWakeUps(db, 999, 100)).map(({ targetId }) => targetId)).not.toContain(overdue);
});

test('the turn of a process that is gone is free at once, that of one that lives is not', async () => {
  const { db, presence } = test_.database;
  const doomed = openDatabase(test_.url, 2);
  const [orphan, kept] = [await newSite(), await newSite()];
  await claimTurn(db, 'Site', orphan, { milliseconds: 600_000, holder: await doomed.presence.id() });
  await claimTurn(db, 'Site', kept, { milliseconds: 600_000, holder: await presence.id() });
  expect(await findGone(db, await listLeaseHolders(db))).toEqual([]);
  await doomed.close();
  let gone: number[] = [];
  for (const giveUpAt = performance.now() + 20_000; gone.length === 0 && performance.now() < giveUpAt; ) {
    gone = await findGone(db, await listLeaseHolders(db));
  }
  expect(await endLeasesOf(db, gone)).toBe(1);
  expect((await findOverdueWakeUps(db, 0, 1000)).map(({ targetId }) => targetId)).toContain(orphan);
  expect(await claimDueTurn(db, 'Site', orphan, LONG_LEASE, 0)).not.toBeNull();
  expect(await claimDueTurn(db, 'Site', kept, LONG_LEASE, 1e9)).toBeNull();
});

test('a lease that is renewed lasts, unless the row was claimed meanwhile', async () => {
  const { db } = test_.database;
  const id = await newSite();
  const turn = await claimTurn(db, 'Site', id, { milliseconds: 200, holder: null });
  if (!turn) throw new Error('nobody got the turn');
  expect(await renewTurn(db, turn, 60_000)).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 250));
  expect(await claimTurn(db, 'Site', id, LONG_LEASE)).toBeNull();
  await releaseTurn(db, turn, null);
  expect(await renewTurn(db, turn, 60_000)).toBe(false);
});
