import { afterEach, expect, test } from 'vitest';
import { submitJob } from '../../../src/commands/submit-job.ts';
import type { JobRecord } from '../../../src/domain/job.ts';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';
import { type ExecutionRow, findExecution } from '../../../src/store/executions.ts';
import { readScoreCard } from '../../../src/store/score-card.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';

const WORK = { arguments: [], processors: 8, walltimeSeconds: 1800, queue: null };
const REST = { siteIds: [], deadlineAt: null, idempotencyKey: null };

let world: SteppedWorld;
afterEach(() => world.close());

/** The same site with an accounting that tells bytes: written ones of every job, read ones of none. */
function tellingBytes(adapter: SiteAdapter): SiteAdapter {
  const told = (record: JobRecord): JobRecord => {
    if (record.endAt === null) return record;
    return { ...record, use: { cpuSeconds: 1, memoryBytes: null, readBytes: null, writtenBytes: WRITTEN } };
  };
  return new Proxy(adapter, {
    get(target, name, receiver) {
      if (name !== 'history') return Reflect.get(target, name, receiver);
      return async (...asked: Parameters<SiteAdapter['history']>) => {
        const page = await target.history(...asked);
        return { ...page, records: page.records.map(told) };
      };
    },
  });
}

test('bytes are forecast and scored where a site tells them; of those that it does not tell nothing is kept', async () => {
  const workload = { generated: { seed: 71, load: 0.4 } };
  const site = { name: 'east', processors: 128, policy: 'easy', workload, warmDays: 5 } as const;
  world = await createSteppedWorld({ seed: 3, sites: [site] });
  const worker = world.worker({ adapter: tellingBytes });
  const { db } = world.database;
  await db.record.updateMany({ where: { endAt: { not: null } }, data: { writtenBytes: WRITTEN } });
  await db.site.updateMany({ data: { recordsEpoch: { increment: 1 } } });
  const job = { name: 'job', script: '#!/bin/sh\nsleep 900\n', ...WORK, ...REST };
  const { executionId } = await submitJob(world.commands, world.principal, job);
  const find = async () => (await findExecution(db, executionId)) as ExecutionRow;
  await world.until('it is settled', async () => (await find()).settledAt !== null, worker);
  const forecasts = await db.forecast.findMany({ where: { plan: { executionId } }, orderBy: { quantity: 'asc' } });
  expect(forecasts.map(({ quantity }) => quantity)).toEqual(['runtime', 'wait', 'written-bytes']);
  expect(forecasts[2]).toMatchObject({ point: WRITTEN, sampleSize: expect.any(Number) });
  const scoresOf = () => db.score.findMany({ where: { executionId, quantity: 'written-bytes' } });
  await world.until('accounting has told its bytes', async () => (await scoresOf()).length > 0, worker);
  const scores = await scoresOf();
  expect(scores.map(({ metric, actual }) => [metric, actual]).sort()).toEqual([
    ['BOUND95', WRITTEN],
    ['POINT', WRITTEN],
  ]);
  const tally = await readScoreCard(db, world.siteIds.get('east') ?? null);
  const [bytes, runtime] = ['written-bytes', 'runtime'].map((name) => tally.find(({ quantity }) => quantity === name));
  expect(bytes).toMatchObject({ count: 1, meanAbsoluteErrorBytes: 0, meanAbsoluteErrorSeconds: null });
  expect(runtime).toMatchObject({ meanAbsoluteErrorBytes: null, meanAbsoluteErrorSeconds: expect.any(Number) });
});

/** More than 32 bits hold. */
const WRITTEN = 7_000_000_000;
