import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Snapshot } from '../../../src/domain/snapshot.ts';
import { createForecaster } from '../../../src/forecast/create-forecaster.ts';
import type { Forecaster } from '../../../src/forecast/forecaster.ts';
import { Timeline } from '../../../src/predict/past/timeline.ts';
import { saveRecords } from '../../../src/store/records.ts';
import { createSite, saveSnapshot } from '../../../src/store/sites.ts';
import { claimTurn, type Turn } from '../../../src/store/turns.ts';
import { knownAt, simulatedRecords } from '../../simulated-records.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

const PREDICTOR = 'wait/gridcast';
const PROCESSORS = 64;
const RECORDS = simulatedRecords(600, PROCESSORS);
const NOW = RECORDS.at(-1)?.submitAt ?? 0;
const [EARLY, LATE] = [RECORDS.slice(0, 300), RECORDS.slice(300)];

let stores: TestDatabase;
let turn: Turn;
const opened: Forecaster[] = [];
beforeAll(async () => {
  stores = await createTestDatabase();
  const { db } = stores.database;
  const { id } = await createSite(db, { name: 'kth', adapter: 'simulator', configuration: {}, now: 0 });
  const claimed = await claimTurn(db, 'Site', id, { milliseconds: 60_000, holder: null });
  if (!claimed) throw new Error('nobody got the turn');
  turn = claimed;
  await saveRecords(db, id, knownAt(LATE, NOW));
  await saveSnapshot(db, turn, shownAt(NOW));
});
afterAll(async () => {
  await Promise.all(opened.map((forecaster) => forecaster.close()));
  await stores.drop();
});

function shownAt(at: number): Snapshot {
  const timeline = new Timeline(PROCESSORS);
  for (const record of RECORDS) timeline.observe(record);
  return timeline.snapshotAt(at);
}

/** A forecasting thread, as a process has that has just started. */
function started(): Forecaster {
  const options = { databaseUrl: stores.url, predictor: PREDICTOR, alsoScored: [], freshMilliseconds: 0 };
  const forecaster = createForecaster(options, (error) => {
    throw error;
  });
  opened.push(forecaster);
  return forecaster;
}

async function untilLearned(forecaster: Forecaster): Promise<void> {
  while ((await forecaster.stateOf(turn.id)).isLearning) await sleep(50);
}

/** What a gateway would be told of a submission now and of a few later ones. */
function ask(forecaster: Forecaster) {
  const job = { queue: null, user: null, processors: 32, requestedWalltimeSeconds: 7200 };
  const at = (submitAt: number) => ({ ...job, submitAt, isOneOfMany: true });
  return forecaster.forecastWaits(turn.id, [at(NOW), at(NOW + 1), at(NOW + 50)]);
}

test('a process that has just started knows its sites as well as one that ran, once it has lived through their pasts', async () => {
  const first = started();
  expect(await first.stateOf(turn.id)).toMatchObject({ isLearning: true });
  const byWaitsAlone = await ask(first);
  await untilLearned(first);
  const learned = await ask(first);
  expect(learned).not.toEqual(byWaitsAlone);
  const second = started();
  await untilLearned(second);
  expect(await ask(second)).toEqual(learned);
});

test('history that is imported later is lived through, too', async () => {
  const forecaster = started();
  await untilLearned(forecaster);
  const before = await ask(forecaster);
  await saveRecords(stores.database.db, turn.id, knownAt(EARLY, NOW));
  expect(await forecaster.stateOf(turn.id)).toMatchObject({ isLearning: true, learnedWaits: expect.any(Number) });
  await untilLearned(forecaster);
  expect((await forecaster.stateOf(turn.id)).learnedWaits).toBe(
    knownAt(RECORDS, NOW).filter(({ startAt }) => startAt !== null).length,
  );
  expect(await ask(forecaster)).not.toEqual(before);
});

test('a process that cannot read what the owner of a site keeps lives through its past itself', async () => {
  const { db } = stores.database;
  const owner = started();
  await untilLearned(owner);
  const learned = await ask(owner);
  while ((await db.checkpoint.count({ where: { siteId: turn.id } })) === 0) await sleep(50);
  await db.$executeRaw`UPDATE "Checkpoint" SET "packed" = substring("packed" FROM 1 FOR 100)`;
  const other = started();
  await untilLearned(other);
  expect(await ask(other)).toEqual(learned);
});

test('a process gets to know every site without being asked', async () => {
  const forecaster = started();
  const learned = async () =>
    (await forecaster.state()).some(({ siteId, isLearning }) => siteId === turn.id && !isLearning);
  const giveUpAt = performance.now() + 90_000;
  while (!(await learned()) && performance.now() < giveUpAt) await sleep(100);
  expect(await learned(), 'nobody has asked, and it has learned').toBe(true);
});
