import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JobRecord } from '../../../src/domain/job.ts';
import { createLocalForecaster } from '../../../src/forecast/local-forecaster.ts';
import { RUNTIME } from '../../../src/predict/quantities.ts';
import { type EmbeddingModel, numberOfModel } from '../../../src/training/embedding-model.ts';
import { needsTrainer } from '../../needs-trainer.ts';
import { LONG_WORDS, SHORT_WORDS, writeSmallModel } from '../../unit/training/small-embedding-model.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { QUICKEST, QUICKEST_OTHERS } from '../quickest.ts';
import { createToldSite, type ToldSite } from './learned-site.ts';

needsTrainer();

/** Jobs of users of their own, whose names have a word that tells how long they run, and two that were never heard. */
const RECORDS = Array.from({ length: 300 }, (_, number): JobRecord => {
  const isShort = number % 2 === 0;
  const words = isShort ? SHORT_WORDS.slice(0, 2) : LONG_WORDS.slice(0, 2);
  const submitAt = 1e9 + 10_000 * number;
  return {
    ...{ nativeId: `${number}`, user: `u${number}`, queue: null, processors: 4, requestedWalltimeSeconds: 14_400 },
    ...{ submitAt, startAt: submitAt, endAt: submitAt + (isShort ? 600 : 7200), outcome: 'COMPLETED' },
    program: { name: `${words[number % 4 < 2 ? 0 : 1]} n${number}`, script: null, arguments: [], workFolder: null },
  };
});
const NOW = 1e9 + 3_010_000;

let stores: TestDatabase;
let site: ToldSite;
let folder: string;
let model: EmbeddingModel;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-model-'));
  model = writeSmallModel(folder);
  stores = await createTestDatabase();
  site = await createToldSite(stores, 'a', RECORDS, 64);
  await site.tell(NOW);
});
afterAll(async () => {
  await stores.drop();
  rmSync(folder, { recursive: true });
});

/** A forecaster of the site, and how long it says that jobs run whose names are words that no job of the past has. */
function open(embedding?: EmbeddingModel) {
  const others = { ...QUICKEST_OTHERS, [RUNTIME.name]: ['runtime/gridcast'] };
  const settings = { 'runtime/gridcast': embedding ? { embedding: numberOfModel(embedding) } : {} };
  const options = { predictor: QUICKEST.wait, alsoScored: [], others, settings, freshMilliseconds: 0 };
  const forecaster = createLocalForecaster(stores.database, { ...options, ...(embedding && { embedding }) });
  const jobs = [SHORT_WORDS[2], LONG_WORDS[2]].map((name) => {
    const request = { user: 'new', queue: null, processors: 4, requestedWalltimeSeconds: 14_400, submitAt: NOW };
    return { ...request, program: { name, script: null, arguments: [], workFolder: null } };
  });
  const secondsSaid = async () =>
    (await forecaster.forecastOthers(site.id, RUNTIME.name, jobs)).map(({ point }) => point);
  return { forecaster, secondsSaid };
}

test('a model that is given tells a site what words mean that it has not met; without it they are alike', async () => {
  const [given, without] = [open(model), open()];
  let looks = 0;
  const isTold = async () => {
    // Where texts take longer than they are waited for, records are learned without; read again, they have them.
    if (++looks % LOOKS === 0) await stores.database.db.site.updateMany({ data: { recordsEpoch: { increment: 1 } } });
    const [tiny = 0, vast = 0] = await given.secondsSaid();
    return tiny < 1500 && vast > 5000;
  };
  await expect.poll(isTold, { timeout: 100_000, interval: 250 }).toBe(true);
  const [one, other] = await without.secondsSaid();
  expect(one).toBe(other);
  for (const { forecaster } of [given, without]) await forecaster.close();
});

/** After so many that told nothing, records are read again. */
const LOOKS = 80;
