import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readScoreCard } from '../../../src/store/score-card.ts';
import { listScoreDays } from '../../../src/store/score-record.ts';
import { deleteScoreDaysBefore, readTalliedUntil, tallyNextDay } from '../../../src/store/score-tallies.ts';
import { type NewScore, saveScores } from '../../../src/store/scores.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { newSite } from '../new-site.ts';

const DAY = 86_400;
const HOUR = 3600;
/** The beginning of a day of UTC. */
const FIRST = 20_600 * DAY;

let stores: TestDatabase;
let siteId: string;
beforeEach(async () => {
  stores = await createTestDatabase();
  siteId = await newSite(stores.database.db);
});
afterEach(() => stores.drop());

/** The scores of one job, at a moment, with an error of so many seconds. */
function jobScores(scoredAt: number, error: number): NewScore[] {
  const job = { siteId, executionId: randomUUID(), forecastId: null, quantity: 'wait', predictor: 'wait/gridcast' };
  const score = (metric: NewScore['metric'], predicted: number, actual: number): NewScore => ({
    ...{ ...job, metric, predicted, actual, scoredAt },
  });
  return [
    score('POINT', 100, 100 + error),
    score('BOUND95', 150, 100 + error),
    score('PROMISE', 0.8, error > 50 ? 0 : 1),
    score('DEADLINE_KEPT', 0.6, error > 50 ? 0 : 1),
    { ...score('KILLED', 0.05, error > 50 ? 1 : 0), quantity: 'runtime' },
    { ...score('POINT', 5000, 5000 + error), quantity: 'written-bytes' },
  ];
}

/** A slot of load that was scored at a moment. */
function slot(lead: number, scoredAt: number, actual: number) {
  const made = { madeAt: new Date(0), startsAt: new Date(0), slotSeconds: HOUR, sampleSize: 9, version: '1' };
  const what = { siteId, quantity: 'load', predictor: 'load/gridcast', point: 10, bound95: lead > 0 ? 20 : null };
  return { ...made, ...what, lead, actual, scoredAt: new Date(scoredAt * 1000) };
}

async function threeDays(): Promise<void> {
  const { db } = stores.database;
  const errors = [0, 10, 60, 30, -40, 90];
  await saveScores(
    db,
    errors.flatMap((error, index) => jobScores(FIRST + (index / 2) * DAY, error)),
  );
  await db.slotForecast.createMany({
    data: [slot(0, FIRST + HOUR, 12), slot(1, FIRST + 2 * HOUR, 30), slot(2, FIRST + 2 * DAY, 5)],
  });
}

const card = () => readScoreCard(stores.database.db, siteId);
const days = () => listScoreDays(stores.database.db, siteId, FIRST + HOUR);

async function tallyAll(now: number): Promise<number> {
  let count = 0;
  while (await tallyNextDay(stores.database, now)) count++;
  return count;
}

const close = (value: number) => expect.closeTo(value, 9);

test('a score card and its days are the same when days are summed up and when they are not', async () => {
  await threeDays();
  const [wait, load, runtime, bytes] = await card();
  const third = close(1 / 3);
  expect(wait).toMatchObject({
    ...{ quantity: 'wait', count: 6, meanAbsoluteErrorSeconds: close(230 / 6), meanAbsoluteErrorBytes: null },
    ...{ coverage95: close(4 / 6), promises: 6, promisedProbability: close(0.8), keptShare: close(4 / 6) },
    brierScore: close((4 * 0.04 + 2 * 0.64) / 6),
    ...{ deadlines: 6, promisedDeadlineProbability: close(0.6), deadlineKeptShare: close(4 / 6), walltimes: 0 },
  });
  expect(load).toMatchObject({
    ...{ quantity: 'load', count: 3, meanAbsoluteErrorProcessors: close(27 / 3), meanAbsoluteErrorSeconds: null },
    ...{ coverage95: close(1 / 2), promises: 0, keptShare: null, brierScore: null },
  });
  expect(runtime).toMatchObject({ quantity: 'runtime', count: 0, walltimes: 6, killedShare: third, coverage95: null });
  expect(bytes).toMatchObject({ quantity: 'written-bytes', count: 6, meanAbsoluteErrorBytes: close(230 / 6) });
  const before = [await card(), await days()] as const;
  expect(before[1].map(({ startsAt }) => startsAt / DAY - FIRST / DAY)).toEqual([0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2]);
  for (const [days_, now] of [
    [1, FIRST + DAY + HOUR],
    [2, FIRST + 3 * DAY + HOUR],
  ] as const) {
    expect(await tallyAll(now)).toBe(days_);
    expect([await card(), await days()]).toEqual(before);
  }
});

test('a day is summed up an hour after its end, and once however many do it', async () => {
  await threeDays();
  expect(await tallyAll(FIRST + DAY + HOUR - 1)).toBe(0);
  const before = await card();
  const now = FIRST + 9 * DAY;
  await Promise.all(Array.from({ length: 4 }, () => tallyAll(now)));
  expect(await readTalliedUntil(stores.database.db)).toBe(FIRST + 3 * DAY);
  expect(await card()).toEqual(before);
});

test('days that are summed up are not read again, and the total outlives them', async () => {
  await threeDays();
  const before = await card();
  await tallyAll(FIRST + 9 * DAY);
  const { db } = stores.database;
  await db.score.deleteMany();
  await db.slotForecast.deleteMany();
  expect(await card()).toEqual(before);
  expect(await deleteScoreDaysBefore(db, FIRST + DAY, 100)).toBe(4);
  expect(await deleteScoreDaysBefore(db, FIRST + 9 * DAY, 100)).toBe(7);
  expect(await days()).toEqual([]);
  expect(await card()).toEqual(before);
  await saveScores(db, jobScores(FIRST + 9 * DAY, 10));
  expect((await card())[0]).toMatchObject({ count: 7, meanAbsoluteErrorSeconds: close(240 / 7) });
});
