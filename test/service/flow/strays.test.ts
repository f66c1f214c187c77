import { afterAll, beforeAll, expect, test } from 'vitest';
import { submitJob } from '../../../src/commands/submit-job.ts';
import type { JobSpec } from '../../../src/domain/job.ts';
import type { NativeRef } from '../../../src/domain/site-adapter.ts';
import { findExecution } from '../../../src/store/executions.ts';
import { Crash } from './faults.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';
import { judge } from './witness.ts';

let world: SteppedWorld;
beforeAll(async () => {
  world = await createSteppedWorld({
    seed: 1,
    accountingLagSeconds: 120,
    sites: [
      { name: 'east', processors: 64, policy: 'easy', workload: { generated: { seed: 70, load: 0.02 } }, warmDays: 20 },
    ],
  });
});
afterAll(() => world.close());

test('a worker that stood still before the call submits what its heir has written off: the late job is cancelled', async () => {
  const script = '#!/bin/sh\nsleep 1500\n';
  const size = { processors: 4, walltimeSeconds: 1800, queue: null, siteIds: [] };
  const job = { name: 'twice', script, arguments: [], deadlineAt: null, idempotencyKey: null, ...size };
  const { executionId } = await submitJob(world.commands, world.principal, job);
  let held: { spec: JobSpec; key: string } | null = null;
  const sleeper = world.worker({
    adapter: (adapter) => ({
      ...adapter,
      async submit(spec, key) {
        held = { spec, key };
        throw new Crash('stands still');
      },
    }),
  });
  const isSubmitting = async () => (await findExecution(world.database.db, executionId))?.state === 'SUBMITTING';
  while (!(await isSubmitting())) {
    await world.step(
      () => sleeper,
      async (error) => expect(error).toBeInstanceOf(Crash),
    );
  }
  await world.expireLeases();
  const isQueued = async () => ((await findExecution(world.database.db, executionId))?.attempts ?? 0) === 2;
  await world.until('the heir has written the attempt off and submitted anew', isQueued);

  const askedFor: NativeRef[] = [];
  const heir = world.worker({
    adapter: (adapter) => ({
      ...adapter,
      async cancel(ref) {
        askedFor.push(ref);
        return adapter.cancel(ref);
      },
    }),
  });
  const late = held as { spec: JobSpec; key: string } | null;
  if (!late) throw new Error('nothing was held back');
  const { nativeId } = world.site('east').submit(late.spec, late.key);
  const isSettled = async () => (await findExecution(world.database.db, executionId))?.settledAt !== null;
  while (!(await isSettled())) await world.step(() => heir);
  expect(askedFor).toContainEqual(expect.objectContaining({ nativeId, key: late.key }));
  expect(await findExecution(world.database.db, executionId)).toMatchObject({ outcome: 'COMPLETED', attempts: 2 });
  const cancelled = world.journal('east').flatMap((entry) => (entry.kind === 'cancel' ? [entry.nativeId] : []));
  expect(cancelled).toEqual([nativeId]);
  expect(await judge(world)).toMatchObject({ lost: [], duplicated: ['twice'], leftovers: [], undecided: [] });
});

test('a job that its site runs once more after its end is left to it; another one with its key is cancelled', async () => {
  const script = '#!/bin/sh\nsleep 60\n';
  const size = { processors: 4, walltimeSeconds: 600, queue: null, siteIds: [] };
  const job = { name: 'again', script, arguments: [], deadlineAt: null, idempotencyKey: null, ...size };
  const { executionId } = await submitJob(world.commands, world.principal, job);
  const execution = () => findExecution(world.database.db, executionId);
  await world.until('it has ended', async () => (await execution())?.settledAt !== null);
  const { key, nativeId } = await world.database.db.submission.findFirstOrThrow({ where: { executionId } });

  let shown = nativeId as string;
  let snapshots = 0;
  const cancelled: string[] = [];
  const worker = world.worker({
    adapter: (adapter) => ({
      ...adapter,
      async snapshot() {
        snapshots++;
        const state = await adapter.snapshot();
        const submitAt = state.observedAt - 10;
        const again = { nativeId: shown, key, user: null, queue: null, processors: 4, requestedWalltimeSeconds: 600 };
        return { ...state, running: [...state.running, { ...again, submitAt, startAt: submitAt }] };
      },
      async cancel(ref) {
        cancelled.push(ref.nativeId);
      },
    }),
  });
  while (snapshots < 3) await world.step(() => worker);
  expect(cancelled).toEqual([]);
  shown = 'another';
  while (snapshots < 6) await world.step(() => worker);
  expect(cancelled).toContain('another');
});
