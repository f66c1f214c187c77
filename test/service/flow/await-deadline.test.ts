import { afterAll, beforeAll, expect, test } from 'vitest';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { findExecution } from '../../../src/store/executions.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { createIdleWorld, SHORT_WORK } from './usual-work.ts';

let world: SteppedWorld;
beforeAll(async () => {
  world = await createIdleWorld(5, 'elm');
});
afterAll(() => world.close());

async function submit(more: object): Promise<string> {
  const input = { ...SHORT_WORK, name: 'job', siteIds: [], deadlineAt: null, idempotencyKey: null, ...more };
  return (await submitJob(world.commands, world.principal, input)).executionId;
}

test('a job whose deadline passes while it waits for others ends then', async () => {
  const now = world.clock.now();
  const first = await submit({ name: 'first', script: '#!/bin/sh\nsleep 40000\n', walltimeSeconds: 50_000 });
  const after = [{ predecessorId: first, condition: 'ANY_END' as const }];
  const second = await submit({ name: 'second', after, deadlineAt: now + 7200 });
  const found = () => findExecution(world.database.db, second);
  await world.until('it has ended', async () => (await found())?.state === 'ENDED');
  const { endedAt, ...ended } = (await found()) ?? { endedAt: 0 };
  const reason = 'its deadline passed: it waits for the end of "first"';
  expect(ended).toMatchObject({ outcome: 'REJECTED', attempts: 0, reason });
  expect(endedAt).toBeGreaterThan(now + 7200);
  expect(endedAt).toBeLessThan(now + 7300);
  expect(await findExecution(world.database.db, first)).toMatchObject({ state: 'RUNNING' });
});
