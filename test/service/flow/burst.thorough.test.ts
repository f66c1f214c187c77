import { afterEach, expect, test } from 'vitest';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { advance } from '../../../src/flow/advance.ts';
import { findExecution } from '../../../src/store/executions.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';

let world: SteppedWorld;
afterEach(() => world.close());

const NAMES = ['east', 'north', 'south', 'west'];
const job = {
  processors: 32,
  walltimeSeconds: 7200,
  queue: null,
  siteIds: [],
  script: '#!/bin/sh\nsleep 7000\n',
  arguments: [],
  idempotencyKey: null,
  deadlineAt: null,
};

/** Four idle sites of 64 processors, each of which holds two of the jobs. */
function idleSites(predictor: string, warmDays: number): Promise<SteppedWorld> {
  return createSteppedWorld({
    seed: 1,
    predictor,
    sites: NAMES.map((name, n) => ({
      name,
      processors: 64,
      policy: 'easy',
      workload: { generated: { seed: 70 + n, load: 0.001 } },
      warmDays,
    })),
  });
}

/** How many of eight jobs that come in the same second are at each site, in the order of the names. */
async function spread(): Promise<number[]> {
  await world.until('every site has been seen', async () => {
    const sites = await world.database.db.site.findMany();
    return sites.every(({ observedAt }) => observedAt !== null);
  });
  const counts = new Map<string | null, number>();
  for (let n = 0; n < 8; n++) {
    const { executionId } = await submitJob(world.commands, world.principal, { ...job, name: `job-${n}` });
    const wakeUp = { kind: 'EXECUTION', targetId: executionId, wakeAt: world.clock.now(), requestId: null } as const;
    await advance(world.worker(), wakeUp);
    const siteId = (await findExecution(world.database.db, executionId))?.siteId ?? null;
    counts.set(siteId, (counts.get(siteId) ?? 0) + 1);
  }
  return NAMES.map((name) => counts.get(world.siteIds.get(name) ?? '') ?? 0);
}

test.each([
  ['wait/qbets', 0],
  ['wait/qbets', 60],
  ['wait/gridcast', 0],
  ['wait/gridcast', 60],
])('eight jobs in a second over four idle sites that hold two each: %s after %i days', async (predictor, warmDays) => {
  world = await idleSites(predictor, warmDays);
  expect(await spread()).toEqual([2, 2, 2, 2]);
});
