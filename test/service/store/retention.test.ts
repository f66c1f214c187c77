import { afterAll, beforeAll, expect, test } from 'vitest';
import { StaleTurn } from '../../../src/domain/failures.ts';
import type { Snapshot } from '../../../src/domain/snapshot.ts';
import {
  createSite,
  deleteObservationsBefore,
  listNewestObservations,
  readSnapshot,
  saveSnapshot,
} from '../../../src/store/sites.ts';
import { claimTurn, type Turn } from '../../../src/store/turns.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

let stores: TestDatabase;
let turn: Turn;
beforeAll(async () => {
  stores = await createTestDatabase();
  const { id } = await createSite(stores.database.db, { name: 'kth', adapter: 'simulator', configuration: {}, now: 0 });
  const claimed = await claimTurn(stores.database.db, 'Site', id, { milliseconds: 60_000, holder: null });
  if (!claimed) throw new Error('nobody got the turn');
  turn = claimed;
});
afterAll(() => stores.drop());

function snapshotAt(observedAt: number): Snapshot {
  const job = { nativeId: '1', key: null, user: 'bob', queue: 'batch', processors: 3, requestedWalltimeSeconds: 60 };
  return {
    observedAt,
    processors: 8,
    freeProcessors: 5,
    waiting: [{ ...job, submitAt: observedAt - 10 }],
    running: [],
  };
}

test('the newest snapshot is kept whole, the older ones as figures until their retention ends', async () => {
  const { db } = stores.database;
  for (const observedAt of [1000, 2000, 3000]) await saveSnapshot(db, turn, snapshotAt(observedAt));
  expect(await readSnapshot(db, turn.id)).toEqual(snapshotAt(3000));
  expect(await deleteObservationsBefore(db, 2000, 10)).toBe(1);
  const left = await listNewestObservations(db, [turn.id], 10);
  expect(left.map(({ observedAt }) => observedAt)).toEqual([2000, 3000]);
  expect(left[0]).toMatchObject({ waitingJobs: 1, waitingProcessors: 3, runningJobs: 0, freeProcessors: 5 });
});

test('an observer that lost its turn cannot put an old snapshot over a new one', async () => {
  const late = { ...turn, version: turn.version - 1 };
  await expect(saveSnapshot(stores.database.db, late, snapshotAt(500))).rejects.toThrow(StaleTurn);
  expect((await readSnapshot(stores.database.db, turn.id))?.observedAt).toBe(3000);
});
