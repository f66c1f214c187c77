import { afterEach, expect, test } from 'vitest';
import { cancelJob } from '../../../src/commands/cancel-job.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import type { JobOutcome } from '../../../src/domain/job.ts';
import type { RetryPolicy } from '../../../src/domain/retry.ts';
import type { NativeJob, SiteAdapter } from '../../../src/domain/site-adapter.ts';
import { findTries } from '../../../src/store/tries.ts';
import { executionOf, isSettled } from './rows.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { createIdleWorld, WORK } from './usual-work.ts';

let world: SteppedWorld;
afterEach(() => world.close());

const POLICY: RetryPolicy = {
  on: ['NODE_FAIL', 'TIMEOUT'],
  mostTries: 3,
  walltimeAtMostSeconds: null,
  memoryFactor: 2,
  memoryAtMostMebibytes: null,
};

async function submit(name: string, job: object = {}): Promise<string> {
  const asked = { ...WORK, name, siteIds: [], deadlineAt: null, retry: POLICY, ...job };
  return (await submitJob(world.commands, world.principal, asked)).executionId;
}

/** A site whose accounting says of the first so many of our jobs that they ended in that way. */
function failing(times: number, outcome: JobOutcome) {
  const failed = new Set<string>();
  const told = (job: NativeJob, key: string): NativeJob => {
    if (job.state !== 'ENDED' || job.outcome !== 'COMPLETED') return job;
    if (!failed.has(key) && failed.size >= times) return job;
    failed.add(key);
    return { ...job, outcome, exitCode: null };
  };
  const keys = new Map<string, string>();
  return (plain: SiteAdapter): SiteAdapter => ({
    ...plain,
    async submit(spec, key) {
      const accepted = await plain.submit(spec, key);
      keys.set(accepted.nativeId, key);
      return accepted;
    },
    async inspect(jobs) {
      const found = await plain.inspect(jobs);
      return new Map([...found].map(([id, job]) => [id, told(job, keys.get(id) ?? id)]));
    },
  });
}

test('a job whose node fails is run again under a key of its own, and every run is charged', async () => {
  world = await createIdleWorld(33, 'east', 'west');
  const id = await submit('tough');
  const next = await submit('next', { retry: undefined, after: [{ predecessorId: id, condition: 'SUCCESS' }] });
  await world.until('it is settled', isSettled(world, id), world.worker({ adapter: failing(2, 'NODE_FAIL') }));
  const row = await executionOf(world, id);
  expect(row).toMatchObject({ outcome: 'COMPLETED', failedTries: 2, attempts: 3, reason: null });
  const tries = await findTries(world.database.db, [id]);
  expect(tries.map(({ number, outcome }) => [number, outcome])).toEqual([
    [1, 'NODE_FAIL'],
    [2, 'NODE_FAIL'],
  ]);
  expect(new Set(tries.map(({ key }) => key)).size).toBe(2);
  expect(tries.map(({ processorSeconds }) => processorSeconds)).toEqual([3600, 3600]);
  const charges = await world.database.db.charge.findMany({ where: { executionId: id }, orderBy: { kind: 'asc' } });
  expect(charges.map(({ kind, processorSeconds }) => [kind, processorSeconds])).toEqual([
    ['NEEDED', 3600],
    ['LOST', 7200],
  ]);
  const keys = ['east', 'west'].flatMap((name) => world.journal(name)).filter(({ kind }) => kind === 'submit');
  expect(new Set(keys.map((entry) => (entry.kind === 'submit' ? entry.key : ''))).size).toBe(keys.length);
  await world.until('its successor is settled', isSettled(world, next));
  expect(await executionOf(world, next)).toMatchObject({ outcome: 'COMPLETED' });
});

test('after so many tries the last end stands, with its reason', async () => {
  world = await createIdleWorld(34, 'east');
  const id = await submit('doomed');
  await world.until('it is settled', isSettled(world, id), world.worker({ adapter: failing(9, 'NODE_FAIL') }));
  expect(await executionOf(world, id)).toMatchObject({ outcome: 'NODE_FAIL', failedTries: 2, attempts: 3 });
});

test('a job that its walltime killed is given a longer one, and completes', async () => {
  world = await createIdleWorld(35, 'east');
  const id = await submit('longer', { walltimeSeconds: 600 });
  await world.until('it is settled', isSettled(world, id));
  const row = await executionOf(world, id);
  const [first, ...others] = await findTries(world.database.db, [id]);
  expect(first).toMatchObject({ outcome: 'TIMEOUT', walltimeSeconds: 600 });
  expect(row).toMatchObject({ outcome: 'COMPLETED', failedTries: 1 + others.length });
  expect(row?.walltimeSeconds).toBeGreaterThanOrEqual(900);
});

test('the longer walltime is that of like jobs, not bounded by the one that killed it', async () => {
  world = await createIdleWorld(37, 'east');
  const id = await submit('longer', { walltimeSeconds: 600, retry: { ...POLICY, mostTries: 2 } });
  await world.until('it is tried again', async () => (await findTries(world.database.db, [id])).length === 1);
  const { walltimeSeconds } = (await executionOf(world, id)) ?? {};
  const past = await world.database.db.record.findMany({ where: { endAt: { not: null } } });
  const longer = past.map(({ startAt, endAt }) => (Number(endAt) - Number(startAt)) / 1000).filter((ran) => ran > 600);
  const share = longer.filter((ran) => ran <= (walltimeSeconds ?? 0)).length / longer.length;
  expect(longer.length).toBeGreaterThan(20);
  expect(share).toBeGreaterThan(0.7);
});

test('what is cancelled is not run again, nor what its policy does not speak of', async () => {
  world = await createIdleWorld(36, 'east');
  const failed = await submit('failed', { script: '#!/bin/sh\nexit 3\n' });
  const unwanted = await submit('unwanted');
  await world.until('it runs', async () => (await executionOf(world, unwanted))?.state === 'RUNNING');
  await cancelJob(world.commands, world.principal, { id: unwanted, idempotencyKey: null });
  const worker = world.worker({ adapter: failing(9, 'NODE_FAIL') });
  for (const id of [failed, unwanted]) await world.until('it is settled', isSettled(world, id), worker);
  expect(await executionOf(world, failed)).toMatchObject({ outcome: 'FAILED', failedTries: 0, attempts: 1 });
  expect(await executionOf(world, unwanted)).toMatchObject({ outcome: 'CANCELLED', failedTries: 0, attempts: 1 });
});

test('one that is to be run again with more memory has to say how much it has', async () => {
  world = await createIdleWorld(37, 'east');
  const retry: RetryPolicy = { ...POLICY, on: ['NODE_FAIL', 'OUT_OF_MEMORY'] };
  await expect(submit('unstated', { retry })).rejects.toThrow(
    'after OUT_OF_MEMORY more memory is asked for, and none is stated; give memoryPerNodeMebibytes or memoryPerProcessorMebibytes in resources, or leave OUT_OF_MEMORY out',
  );
  expect(await world.database.db.execution.count()).toBe(0);
  const stated = submit('stated', { retry, resources: { memoryPerNodeMebibytes: 500 } });
  await expect(stated).rejects.toThrow('east does not honour memoryPerNodeMebibytes');
});
