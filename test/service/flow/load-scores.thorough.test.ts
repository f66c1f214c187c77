import { afterEach, expect, test } from 'vitest';
import { endRetentions } from '../../../src/flow/retentions.ts';
import { createLocalForecaster } from '../../../src/forecast/local-forecaster.ts';
import { readScoreCard } from '../../../src/store/score-card.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';

const HOUR = 3600;

let world: SteppedWorld;
afterEach(() => world.close());

async function oneSite(): Promise<string> {
  const workload = { generated: { seed: 71, load: 0.6 } };
  const site = { name: 'east', processors: 128, policy: 'easy', workload, warmDays: 20 } as const;
  const settings = { observeIntervalSeconds: 300, historyIntervalSeconds: 300 };
  world = await createSteppedWorld({ seed: 3, sites: [site], settings, others: {} });
  return world.siteIds.get('east') ?? '';
}

function rows() {
  return world.database.db.slotForecast.findMany({ orderBy: [{ madeAt: 'asc' }, { lead: 'asc' }] });
}

test('once an hour the load to come is kept, and compared with what came, across a restart', async () => {
  const siteId = await oneSite();
  const beganAt = world.clock.now();
  await world.until('load was forecast', async () => (await rows()).length > 0);
  expect((await rows()).map(({ lead, slotSeconds }) => [lead, slotSeconds])).toEqual([
    [0, HOUR],
    [5, HOUR],
    [23, HOUR],
  ]);
  await world.until('three hours have passed', async () => world.clock.now() > beganAt + 3 * HOUR);
  // Another process takes the site up: it has learned nothing, and the rows are there.
  const worker = world.worker();
  const forecaster = createLocalForecaster(world.database, {
    predictor: 'wait/qbets',
    alsoScored: [],
    freshMilliseconds: 0,
  });
  await world.until('three more', async () => world.clock.now() > beganAt + 6 * HOUR, { ...worker, forecaster });
  const kept = await rows();
  const made = new Set(kept.map(({ madeAt }) => Math.floor(madeAt.getTime() / 1000 / HOUR)));
  expect(made.size).toBeGreaterThanOrEqual(6);
  expect(kept).toHaveLength(3 * made.size);
  const scored = kept.filter(({ scoredAt }) => scoredAt !== null);
  expect(scored.length).toBeGreaterThanOrEqual(3);
  for (const { startsAt, slotSeconds, actual, scoredAt } of scored) {
    const endsAt = new Date(startsAt.getTime() + slotSeconds * 1000);
    expect(scoredAt?.getTime()).toBeGreaterThanOrEqual(endsAt.getTime() + HOUR * 1000);
    const jobs = await world.database.db.record.findMany({
      where: { siteId, submitAt: { gte: startsAt, lt: endsAt } },
    });
    expect(actual).toBeGreaterThanOrEqual(jobs.reduce((sum, job) => sum + job.processors, 0) - 1e-9);
  }
  expect(scored.some(({ actual }) => (actual ?? 0) > 0)).toBe(true);
  const [tally] = (await readScoreCard(world.database.db, siteId)).filter(({ quantity }) => quantity === 'load');
  const errors = scored.map(({ point, actual }) => Math.abs(point - (actual ?? 0)));
  expect(tally).toMatchObject({ predictor: 'load/gridcast', count: scored.length, meanAbsoluteErrorSeconds: null });
  expect(tally?.meanAbsoluteErrorProcessors).toBeCloseTo(errors.reduce((a, b) => a + b, 0) / errors.length, 6);
  expect(tally?.promises).toBe(0);
});

test('what is kept of it ends with the retention', async () => {
  await oneSite();
  await world.until('load was forecast', async () => (await rows()).length > 0);
  await world.database.db.slotForecast.updateMany({ data: { startsAt: new Date(0) }, where: { lead: 0 } });
  await endRetentions(world.worker());
  expect((await rows()).map(({ lead }) => lead)).toEqual([5, 23]);
});

test('a forecaster that fails keeps nobody from watching the site', async () => {
  await oneSite();
  const worker = world.worker();
  const forecaster = { ...worker.forecaster, forecastSlots: () => Promise.reject(new Error('it is gone')) };
  const before = await world.database.db.observation.count();
  await world.database.db.slotForecast.deleteMany();
  const more = async () => (await world.database.db.observation.count()) > before + 3;
  await world.until('it was observed again', more, { ...worker, forecaster });
  expect(await rows()).toEqual([]);
});
