import { afterEach, expect, test } from 'vitest';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { formatSeconds } from '../../../src/domain/duration.ts';
import { Unavailable } from '../../../src/domain/failures.ts';
import { type ExecutionRow, findExecution } from '../../../src/store/executions.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';
import { createIdleWorld, WORK } from './usual-work.ts';

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

test('while accounting is away the queue is followed, and nobody is told to be late who was not looked for', async () => {
  world = await createIdleWorld(83, 'east');
  let away = false;
  const worker = world.worker({
    adapter: (adapter) => ({
      ...adapter,
      async inspect(refs) {
        if (away) throw new Unavailable('accounting is away');
        return adapter.inspect(refs);
      },
    }),
  });
  const submit = async (name: string, sleepSeconds: number, deadlineAt: number | null) => {
    const script = `#!/bin/sh\nsleep ${sleepSeconds}\n`;
    const job = { ...WORK, name, script, walltimeSeconds: sleepSeconds + 300, siteIds: [], deadlineAt };
    const { executionId } = await submitJob(world.commands, world.principal, job);
    return async () => (await findExecution(world.database.db, executionId)) as ExecutionRow;
  };
  const deadlineAt = world.clock.now() + 1800;
  const short = await submit('short', 900, deadlineAt);
  await world.until('the short one runs', async () => (await short()).state === 'RUNNING', worker);
  away = true;
  await world.until('it has ended unseen', async () => world.clock.now() > deadlineAt - 300, worker);
  const long = await submit('long', 5400, null);
  await world.until('the long one is seen to run', async () => (await long()).state === 'RUNNING', worker);
  const before = await long();
  expect(world.clock.now() - (before.startedAt ?? 0)).toBeLessThan(900);
  await world.until('the deadline has passed', async () => world.clock.now() > deadlineAt + 400, worker);
  expect(await short()).toMatchObject({ state: 'RUNNING', deadlineMissedAt: null });
  away = false;
  await world.until('the short one is settled', async () => (await short()).settledAt !== null, worker);
  expect(await short()).toMatchObject({ outcome: 'COMPLETED', deadlineMissedAt: null });
});
