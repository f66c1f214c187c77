import { afterEach, expect, test } from 'vitest';
import { dryRunPlan } from '../../../src/commands/dry-run-plan.ts';
import { forecastWait } from '../../../src/commands/forecast-wait.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { Unavailable } from '../../../src/domain/failures.ts';
import type { WaitQuery } from '../../../src/domain/forecast.ts';
import type { FlowContext } from '../../../src/flow/context.ts';
import { momentText } from '../../../src/plan/unusable.ts';
import { findExecution } from '../../../src/store/executions.ts';
import { findSiteByName } from '../../../src/store/sites.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';

let world: SteppedWorld;
afterEach(() => world.close());

const work = {
  name: 'job',
  script: '#!/bin/sh\nsleep 900\n',
  arguments: [],
  walltimeSeconds: 1800,
  queue: null,
  siteIds: [],
  deadlineAt: null,
  idempotencyKey: null,
};

const PATIENCE_SECONDS = 6 * 3600;

/** `east` of 128 processors and `west` of 64, both idle. */
function twoSites(): Promise<SteppedWorld> {
  const site = (name: string, processors: number, seed: number) =>
    ({ name, processors, policy: 'easy', workload: { generated: { seed, load: 0.02 } }, warmDays: 40 }) as const;
  return createSteppedWorld({
    seed: 1,
    settings: { observeIntervalSeconds: 600, patienceSeconds: PATIENCE_SECONDS },
    sites: [site('east', 128, 71), site('west', 64, 72)],
  });
}

/** A worker that does not reach `east` any more. */
function workerWithoutEast(): FlowContext {
  return world.worker({
    adapter: (adapter, name) => ({
      ...adapter,
      async snapshot() {
        if (name === 'east') throw new Unavailable('east does not answer', 'connection refused');
        return adapter.snapshot();
      },
    }),
  });
}

async function untilEastIsSuspended(worker: FlowContext): Promise<void> {
  const isDown = async () => (await findSiteByName(world.database.db, 'east'))?.state === 'SUSPENDED';
  await world.until('east is suspended', isDown, worker);
}

test('plan, submitJob and forecast ask one question of a site: in the queue that the job would go to', async () => {
  world = await twoSites();
  const asked: WaitQuery[] = [];
  const { forecaster } = world.commands;
  const listening = {
    ...forecaster,
    async forecastWaits(...[siteId, queries, predictor]: Parameters<typeof forecaster.forecastWaits>) {
      if (siteId === world.siteIds.get('east')) asked.push(...queries);
      return forecaster.forecastWaits(siteId, queries, predictor);
    },
  };
  const commands = { ...world.commands, forecaster: listening };
  const { walltimeSeconds, queue, siteIds, name, script, arguments: words } = work;
  const job = { processors: 4, walltimeSeconds, queue, siteIds, name, script, arguments: words };
  await dryRunPlan(commands, world.principal, { ...job, deadlineAt: null });
  await forecastWait(commands, world.principal, world.siteIds.get('east') ?? '', {
    ...job,
    user: null,
    predictor: null,
  });
  const { executionId } = await submitJob(commands, world.principal, { ...work, ...job });
  const worker = { ...world.worker(), forecaster: listening };
  const isPlanned = async () => (await findExecution(world.database.db, executionId))?.state !== 'REQUESTED';
  await world.until('it is planned', isPlanned, worker);
  const submitAt = asked[0]?.submitAt;
  const program = { name, script, arguments: words, workFolder: null };
  const asks = { queue: 'batch', processors: 4, requestedWalltimeSeconds: walltimeSeconds, user: null, program };
  const question = { ...asks, submitAt };
  expect(asked).toEqual([question, question, question]);
});

test('a job that is too large for every site is refused at once, though one of them is out of sight', async () => {
  world = await twoSites();
  await untilEastIsSuspended(workerWithoutEast());
  const submission = submitJob(world.commands, world.principal, { ...work, processors: 1000 });
  await expect(submission).rejects.toMatchObject({ code: 'NO_ELIGIBLE_SITE', field: 'input.processors' });
  expect(await world.database.db.execution.count()).toBe(0);
});

test('a job that only a site out of sight might take says until when it waits, and is rejected then', async () => {
  world = await twoSites();
  const worker = workerWithoutEast();
  await untilEastIsSuspended(worker);
  const askedAt = world.clock.now();
  const givenUpAt = momentText(askedAt + PATIENCE_SECONDS);
  const deadlineAt = askedAt + 7200;
  const ids: { executionId: string }[] = [];
  for (const deadline of [null, deadlineAt]) {
    ids.push(
      await submitJob(world.commands, world.principal, {
        ...work,
        name: `job-${deadline}`,
        processors: 100,
        deadlineAt: deadline,
      }),
    );
  }
  const rows = () => Promise.all(ids.map(({ executionId }) => findExecution(world.database.db, executionId)));
  await world.until('they are told', async () => (await rows()).every((row) => row?.reason != null), worker);
  const [waiting] = await rows();
  expect(waiting).toMatchObject({ state: 'REQUESTED', reason: expect.stringContaining(givenUpAt) });
  await world.until('they have ended', async () => (await rows()).every((row) => row?.settledAt != null), worker);
  const [patient, hurried] = await rows();
  expect(patient).toMatchObject({
    outcome: 'REJECTED',
    reason: expect.stringContaining('east has not answered since'),
  });
  expect((patient?.endedAt ?? 0) - askedAt).toBe(PATIENCE_SECONDS);
  // With a deadline no longer than it could still be met.
  expect(hurried).toMatchObject({ outcome: 'REJECTED', endedAt: deadlineAt - work.walltimeSeconds });
});
