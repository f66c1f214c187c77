import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readScoreCard } from '../../../src/store/score-card.ts';
import { type NewScore, saveScores } from '../../../src/store/scores.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { newSite } from '../new-site.ts';

const AT = 1_780_000_000;

let stores: TestDatabase;
beforeAll(async () => {
  stores = await createTestDatabase();
});
afterAll(() => stores.drop());

test('jobs are counted whose forecasts were scored, not those of which a promise alone was', async () => {
  const { db } = stores.database;
  const siteId = await newSite(db);
  const scoresOf = (metrics: readonly NewScore['metric'][]): NewScore[] => {
    const job = { siteId, executionId: randomUUID(), forecastId: null, quantity: 'wait', predictor: 'wait/gridcast' };
    return metrics.map((metric) => ({ ...job, metric, predicted: 0.9, actual: 0, scoredAt: AT }));
  };
  await saveScores(db, [
    ...scoresOf(['POINT', 'BOUND95', 'PROMISE']),
    ...scoresOf(['BOUND95']),
    // Missed without a run, so that there is no wait.
    ...scoresOf(['PROMISE', 'DEADLINE_KEPT', 'KILLED']),
  ]);
  expect(await readScoreCard(db, siteId)).toMatchObject([{ count: 2, promises: 2, deadlines: 1, walltimes: 1 }]);
});
