import { afterAll, beforeAll, expect, test } from 'vitest';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { probabilityToStartWithin } from '../../../src/domain/forecast.ts';
import { type ExecutionRow, findExecution } from '../../../src/store/executions.ts';
import { findNewestPlans } from '../../../src/store/plans.ts';
import { readScoreCard } from '../../../src/store/score-card.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';

let world: SteppedWorld;
beforeAll(async () => {
  const workload = { generated: { seed: 71, load: 0.4 } };
  const sites = ['east', 'west'].map((name) => {
    return { name, processors: 128, policy: 'easy' as const, workload, warmDays: 20 };
  });
  world = await createSteppedWorld({ seed: 3, sites, others: {} });
});
afterAll(() => world.close());

async function run(script: string, risk: number, atMostSeconds: number | null = null): Promise<ExecutionRow> {
  const work = { name: 'job', script, arguments: [], processors: 8, queue: null, siteIds: [], deadlineAt: null };
  const auto = { walltimeSeconds: atMostSeconds ?? 86_400, auto: { risk, atMostSeconds } };
  const { executionId } = await submitJob(world.commands, world.principal, { ...work, ...auto, idempotencyKey: null });
  const find = () => findExecution(world.database.db, executionId);
  await world.until('it is settled', async () => ((await find())?.settledAt ?? null) !== null);
  return (await find()) as ExecutionRow;
}

test('an automatic walltime is that of the chosen site, and who is killed by it counts against the risk', async () => {
  const { db } = world.database;
  const short = await run('#!/bin/sh\nsleep 30\n', 0.05);
  expect(short).toMatchObject({ outcome: 'COMPLETED', walltimeRisk: 0.05, walltimePredictor: 'runtime/gridcast' });
  const [plan] = await findNewestPlans(db, [short.id]);
  const chosen = plan?.candidates.find(({ lostBecause }) => lostBecause === null);
  expect(chosen?.runtime).toMatchObject({ predictor: 'runtime/gridcast', quantileSeconds: [] });
  expect(short.walltimeSeconds).toBe(chosen?.walltimeSeconds);
  expect(short.walltimeSeconds % 60).toBe(0);
  expect(short.submittedWalltimeSeconds).toBe(short.walltimeSeconds);

  const endless = await run('#!/bin/sh\nsleep 9999999\n', 0.2);
  expect(endless).toMatchObject({ outcome: 'TIMEOUT', walltimeRisk: 0.2 });
  expect((endless.endedAt ?? 0) - (endless.startedAt ?? 0)).toBeGreaterThanOrEqual(endless.walltimeSeconds);
  const failed = await run('#!/bin/sh\nexit 3\n', 0.5);
  expect(failed).toMatchObject({ outcome: 'FAILED' });

  const rows = await db.score.findMany({ where: { metric: 'KILLED' }, orderBy: { predicted: 'asc' } });
  expect(rows).toMatchObject([
    { executionId: short.id, quantity: 'runtime', predictor: 'runtime/gridcast', predicted: 0.05, actual: 0 },
    { executionId: endless.id, quantity: 'runtime', predictor: 'runtime/gridcast', predicted: 0.2, actual: 1 },
  ]);
  const tallies = (await readScoreCard(db, null)).filter(({ quantity }) => quantity === 'runtime');
  expect(tallies.reduce((sum, { walltimes }) => sum + walltimes, 0)).toBe(2);
  const killer = tallies.find(({ siteId }) => siteId === endless.siteId);
  expect(killer?.killedShare).toBe(short.siteId === endless.siteId ? 0.5 : 1);
});

test('who is killed by the bound of the caller counts against what was said of it, not against the risk', async () => {
  const { db } = world.database;
  const bounded = await run('#!/bin/sh\nsleep 9999999\n', 0.01, 60);
  expect(bounded).toMatchObject({ outcome: 'TIMEOUT', walltimeRisk: 0.01, walltimeSeconds: 60 });
  const [plan] = await findNewestPlans(db, [bounded.id]);
  const [forecast] = await db.$queryRaw<{ quantileSeconds: number[] }[]>`
    SELECT "quantileSeconds" FROM "Forecast" WHERE "planId" = ${plan?.id}::uuid AND "isOfChosen"
       AND "quantity" = 'runtime' AND "predictor" = 'runtime/gridcast'`;
  const risked = 1 - probabilityToStartWithin(forecast ?? { quantileSeconds: [] }, 60);
  expect(risked).toBeGreaterThan(0.5);
  const [score] = await db.score.findMany({ where: { metric: 'KILLED', executionId: bounded.id } });
  expect(score?.predicted).toBeCloseTo(risked, 9);
});
