import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createForecaster } from '../../../src/forecast/create-forecaster.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

let stores: TestDatabase;
beforeAll(async () => {
  stores = await createTestDatabase();
});
afterAll(() => stores.drop());

/** How many threads of this process stand back behind others. */
function niceThreads(): number {
  const niceness = readdirSync('/proc/self/task').map((thread) => {
    const told = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    return Number(told.slice(told.lastIndexOf(')') + 2).split(' ')[NICE_FIELD]);
  });
  return niceness.filter((nice) => nice >= 10).length;
}

/** After the name: proc(5) counts it as the 19th, from 1. */
const NICE_FIELD = 16;

test.skipIf(process.platform !== 'linux').each([
  ['learns first stands back behind those who answer people', false, 1],
  ['answers people does not', true, 0],
])('a thread that %s', async (_, learnsLast, expected) => {
  const before = niceThreads();
  const options = { databaseUrl: stores.url, predictor: 'wait/gridcast', alsoScored: [], freshMilliseconds: 0 };
  const forecaster = createForecaster({ ...options, learnsLast }, (error) => {
    throw error;
  });
  await forecaster.state();
  expect(niceThreads() - before).toBe(expected);
  await forecaster.close();
});
