import { afterEach, expect, test } from 'vitest';
import { submitJob } from '../../../src/commands/submit-job.ts';
import type { JobSpec } from '../../../src/domain/job.ts';
import { type ExecutionRow, findExecution } from '../../../src/store/executions.ts';
import { listJobsOnTheWay } from '../../../src/store/on-the-way.ts';
import { withOwnSizes } from '../../../src/store/own-sizes.ts';
import { asPlanRequest } from '../../../src/store/plan-requests.ts';
import { findNewestPlans } from '../../../src/store/plans.ts';
import { asCandidate, listSites } from '../../../src/store/sites.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';

let world: SteppedWorld;
afterEach(() => world.close());

/** A site of 64 processors that is nearly idle: the largest size ends first. */
function idleSite(): Promise<SteppedWorld> {
  const workload = { generated: { seed: 91, load: 0.02 } };
  const site = { name: 'east', processors: 64, policy: 'easy' as const, workload, warmDays: 10 };
  return createSteppedWorld({ seed: 1, sites: [site] });
}

const IDEAL = { kind: 'AMDAHL', serialShare: 0 } as const;
const sizes = { list: [16, 32], from: null, to: null, steps: 'POWERS_OF_TWO', fromHistory: false } as const;

async function submit(changes: object = {}): Promise<string> {
  const script = '#!/bin/sh\nsleep $((16000 / GRIDCAST_PROCESSORS))\n';
  const work = { name: 'job', script, arguments: ['-n', '{processors}', '{other}'], queue: null, siteIds: [] };
  const size = { processors: 8, walltimeSeconds: 7200, deadlineAt: null, sizes, speedup: IDEAL };
  const input = { ...work, ...size, idempotencyKey: null, ...changes };
  return (await submitJob(world.commands, world.principal, input)).executionId;
}

async function find(id: string): Promise<ExecutionRow> {
  return (await findExecution(world.database.db, id)) as ExecutionRow;
}

async function settled(id: string): Promise<ExecutionRow> {
  await world.until('it is settled', async () => (await find(id)).settledAt !== null);
  return find(id);
}

test('a job with sizes runs at the chosen one, and is charged and scored for that', async () => {
  world = await idleSite();
  const { db } = world.database;
  const job = await settled(await submit());
  expect(job).toMatchObject({ outcome: 'COMPLETED', processors: 32, walltimeSeconds: 1800 });
  expect(job).toMatchObject({ submittedWalltimeSeconds: 1800, statedProcessors: 8, statedWalltimeSeconds: 7200 });
  expect((job.endedAt ?? 0) - (job.startedAt ?? 0)).toBeCloseTo(500, -1);
  const [charge] = await db.charge.findMany({ where: { executionId: job.id } });
  expect(charge?.processorSeconds).toBeCloseTo(32 * 500, -3);
  const [plan] = await findNewestPlans(db, [job.id]);
  expect(plan?.candidates.map(({ processors, lostBecause }) => [processors, lostBecause])).toEqual([
    [8, 'LOWER_GAIN'],
    [16, 'LOWER_GAIN'],
    [32, null],
  ]);
  const scored = await db.score.findMany({ where: { executionId: job.id } });
  expect(scored.length).toBeGreaterThan(0);
  const made = await db.forecast.findMany({ where: { id: { in: scored.map(({ forecastId }) => forecastId ?? '') } } });
  expect(new Set(made.map(({ id }) => id))).toEqual(new Set(scored.map(({ forecastId }) => forecastId)));
  for (const { processors } of made) expect(processors).toBe(32);
  const runtimes = scored.filter(({ quantity }) => quantity === 'runtime').map(({ predictor }) => predictor);
  expect(runtimes).toContain('runtime/speedup-model');
});

test('a worker that dies in the middle leaves the chosen size to its heir, and the script is told it', async () => {
  world = await idleSite();
  const id = await submit();
  const specs: JobSpec[] = [];
  const dying = world.worker({
    adapter: (plain) => ({
      ...plain,
      async submit(spec, key) {
        specs.push(spec);
        await plain.submit(spec, key);
        throw new Error('the worker dies before it hears of it');
      },
    }),
  });
  for (let steps = 0; specs.length === 0 && steps < 100; steps++)
    await world.step(
      () => dying,
      async () => {},
    );
  expect(specs).toMatchObject([{ processors: 32, walltimeSeconds: 1800, arguments: ['-n', '32', '{other}'] }]);
  expect(await find(id)).toMatchObject({ state: 'SUBMITTING', processors: 32 });
  const asked = [{ siteId: world.siteIds.get('east') ?? '', at: world.clock.now() }];
  const [onTheWay] = await listJobsOnTheWay(world.database.db, asked);
  expect(onTheWay).toMatchObject([{ queue: 'batch', processors: 32, requestedWalltimeSeconds: 1800 }]);
  await world.expireLeases();
  const job = await settled(id);
  expect(job).toMatchObject({ processors: 32, statedProcessors: 8, outcome: 'COMPLETED', attempts: 1 });
  expect(world.journal('east').filter(({ kind }) => kind === 'submit')).toMatchObject([{ processors: 32 }]);
});

test('sizes of own jobs are known after they have completed, and what a job asks for stays as it was stated', async () => {
  world = await idleSite();
  const { db } = world.database;
  const job = await settled(await submit());
  await settled(await submit({ sizes: null, speedup: null }));
  const request = asPlanRequest(job);
  expect(request).toMatchObject({
    processors: 8,
    walltimeSeconds: 7200,
    sizes: { processors: [16, 32], speedup: IDEAL },
  });
  const { tenantId, principalId } = job;
  const known = (await listSites(db)).map((site) => asCandidate(site));
  const [east] = await withOwnSizes(db, { tenantId, principalId }, request, known);
  expect(east?.ownSizes?.map(({ processors, jobs }) => [processors, jobs])).toEqual([
    [8, 1],
    [32, 1],
  ]);
  const history = { list: [], from: null, to: null, steps: 'ALL', fromHistory: true } as const;
  const again = await settled(await submit({ sizes: history, speedup: null }));
  expect(again).toMatchObject({ processors: 32, sizesFromHistory: true });
});
