import { afterEach, expect, test } from 'vitest';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { formatSeconds } from '../../../src/domain/duration.ts';
import { Unavailable } from '../../../src/domain/failures.ts';
import { findExecution } from '../../../src/store/executions.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';

let world: SteppedWorld;
afterEach(() => world.close());

test('a job that its site takes late is told to be late before it starts, and ends so', async () => {
  const workload = { generated: { seed: 81, load: 0.02 } };
  world = await createSteppedWorld({
    seed: 1,
    settings: { observeIntervalSeconds: 300 },
    sites: [{ name: 'east', processors: 64, policy: 'easy', workload, warmDays: 40 }],
  });
  let away = true;
  const worker = world.worker({
    adapter: (adapter) => ({
      ...adapter,
      async submit(spec, key) {
        if (away) throw new Unavailable('east is busy');
        return adapter.submit(spec, key);
      },
    }),
  });
  const deadlineAt = world.clock.now() + 3600;
  const size = { processors: 4, walltimeSeconds: 1800, queue: null, siteIds: [] };
  const job = { ...size, name: 'late', script: '#!/bin/sh\nsleep 900\n', arguments: [], idempotencyKey: null };
  const { executionId } = await submitJob(world.commands, world.principal, { ...job, deadlineAt });
  const row = () => findExecution(world.database.db, executionId);

  await world.until('its deadline has passed', async () => (await row())?.deadlineMissedAt != null, worker);
  expect(await row()).toMatchObject({
    state: 'HELD',
    deadlineMissedAt: deadlineAt,
    reason: expect.stringMatching(/^its deadline passed before it started; /),
  });
  away = false;
  await world.until('it is settled', async () => (await row())?.settledAt != null, worker);
  const ended = await row();
  expect(ended).toMatchObject({ outcome: 'COMPLETED', deadlineMissedAt: deadlineAt });
  expect(ended?.reason).toBe(`it ended ${formatSeconds((ended?.endedAt ?? 0) - deadlineAt)} after its deadline`);

  const kept = await submitJob(world.commands, world.principal, { ...job, deadlineAt: world.clock.now() + 2000 });
  const inTime = () => findExecution(world.database.db, kept.executionId);
  await world.until('the next is settled', async () => (await inTime())?.settledAt != null, worker);
  expect(await inTime()).toMatchObject({ outcome: 'COMPLETED', deadlineMissedAt: null, reason: null });
});
