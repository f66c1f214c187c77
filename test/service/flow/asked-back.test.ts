import { afterEach, expect, test } from 'vitest';
import { submitArray } from '../../../src/commands/submit-array.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { Unknown } from '../../../src/domain/failures.ts';
import type { NativeRef } from '../../../src/domain/site-adapter.ts';
import type { Snapshot } from '../../../src/domain/snapshot.ts';
import type { FlowContext } from '../../../src/flow/context.ts';
import { LIMITED_ALONE_SECONDS } from '../../../src/plan/prospects.ts';
import { askForQueued, createDownWorld, jobsOf, whileDrained } from './down-world.ts';
import { askForStuck } from './finish-world.ts';
import { expectMoved, workerWith } from './queued-promise.ts';
import { attemptsOf, executionOf, isSettled } from './rows.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { WORK } from './usual-work.ts';
import { CLEAN, judge } from './witness.ts';

let world: SteppedWorld;
afterEach(() => world.close());

const LIMIT = 'AssocMaxCpuPerJobLimit';
let says: string | null = LIMIT;

/** A snapshot of `east`, where nothing starts, with what it says of each of our jobs that waits. */
function told({ waiting, ...rest }: Snapshot): Snapshot {
  const withReason = waiting.map((job) => (job.key === null || says === null ? job : { ...job, reason: says }));
  return { ...rest, waiting: withReason };
}

function workerTold(words = LIMIT): FlowContext {
  says = words;
  return workerWith(world, (plain) => ({ snapshot: async () => told(await plain.snapshot()) }));
}

/** Hands work in to `east`, which starts nothing more. */
async function submitEast(siteIds: readonly string[], tasks = 0): Promise<string[]> {
  world.clock.advanceTo(world.clock.now() + 120);
  const { commands, principal, database } = world;
  const work = { ...WORK, siteIds, name: 'stuck', deadlineAt: null };
  await whileDrained(world, ['west'], async () => {
    await submitJob(commands, principal, work);
    if (tasks > 0) await submitArray(commands, principal, { ...work, tasks });
    const areSent = async () => (await database.db.execution.count({ where: { state: 'QUEUED' } })) === 1 + tasks;
    await world.until('all are in its queue', areSent);
  });
  return (await database.db.execution.findMany()).map(({ id }) => id);
}

test('what its site takes in and never starts is asked back, and runs where another site takes it, tasks too', async () => {
  world = await createDownWorld(1);
  const worker = workerTold();
  const ids = await submitEast([], 2);
  const west = world.siteIds.get('west');
  for (const id of ids) {
    await world.until('it is settled', isSettled(world, id), worker);
    expect(await executionOf(world, id)).toMatchObject({ outcome: 'COMPLETED', siteId: west, attempts: 2 });
    expect(await attemptsOf(world, id)).toEqual(['REJECTED', 'ACCEPTED']);
    expect(jobsOf(world, 'east', id)).toMatchObject([{ state: 'ENDED', startAt: null, outcome: 'CANCELLED' }]);
  }
  expect(await judge(world)).toMatchObject(CLEAN);
});

test('one that a limit of its user stops though nothing else of that user runs is asked back after a while', async () => {
  world = await createDownWorld(1);
  const worker = workerTold('QOSMaxCpuPerUserLimit');
  const [id = ''] = await submitEast([]);
  const submittedAt = (await executionOf(world, id))?.nativeSubmittedAt ?? 0;
  await world.until('it is settled', isSettled(world, id), worker);
  const moved = await executionOf(world, id);
  expect(moved).toMatchObject({ outcome: 'COMPLETED', siteId: world.siteIds.get('west'), attempts: 2 });
  expect(await attemptsOf(world, id)).toEqual(['REJECTED', 'ACCEPTED']);
  expect((moved?.nativeSubmittedAt ?? 0) - submittedAt).toBeGreaterThan(LIMITED_ALONE_SECONDS);
  const refusals = await world.database.db.refusal.findMany();
  expect(refusals).toMatchObject([{ scope: 'SIZE', siteSays: 'QOSMaxCpuPerUserLimit' }]);
});

test('one that such a limit stops while another of that user runs stays, and runs in its turn', async () => {
  world = await createDownWorld(1);
  says = 'QOSMaxCpuPerUserLimit';
  const worker = workerWith(world, (plain) => ({
    async snapshot() {
      const seen = told(await plain.snapshot());
      const others = seen.waiting.map((job) => ({
        ...job,
        nativeId: `${job.nativeId}0`,
        key: null,
        startAt: job.submitAt,
      }));
      return { ...seen, running: [...seen.running, ...others] };
    },
  }));
  const [id = ''] = await submitEast([]);
  await world.until('it is settled', isSettled(world, id), worker);
  expect(await executionOf(world, id)).toMatchObject({ outcome: 'COMPLETED', attempts: 1 });
});

test('one that is cancelled late, when its site would start it after all, is not lost', async () => {
  world = await createDownWorld(1);
  says = LIMIT;
  let asked: NativeRef | null = null;
  const worker = workerWith(world, (plain) => ({
    async cancel(ref) {
      asked = ref;
      says = 'Priority';
      throw new Unknown('no answer');
    },
    async snapshot() {
      const seen = told(await plain.snapshot());
      if (asked) await plain.cancel(asked);
      return seen;
    },
  }));
  const [id = ''] = await submitEast([]);
  await world.until('it is settled', isSettled(world, id), worker);
  expect(await executionOf(world, id)).toMatchObject({ outcome: 'COMPLETED', attempts: 2 });
  expect(await attemptsOf(world, id)).toEqual(['REJECTED', 'ACCEPTED']);
});

test('where no other site takes it it stays, and runs there once its site starts it after all', async () => {
  world = await createDownWorld(1);
  const worker = workerTold();
  const [id = ''] = await submitEast([world.siteIds.get('east') ?? '']);
  const isNoted = async () => ((await executionOf(world, id))?.neverStartsSince ?? null) !== null;
  await world.until('it is seen to be stuck', isNoted, worker);
  says = 'Priority';
  await world.until('it is not any more', async () => !(await isNoted()), worker);
  await world.until('it is settled', isSettled(world, id), worker);
  expect(await executionOf(world, id)).toMatchObject({ outcome: 'COMPLETED', attempts: 1 });
  expect(await attemptsOf(world, id)).toEqual(['ACCEPTED']);
});

test('a promise whose job is never started is kept at another site, and so is a finish that was promised', async () => {
  world = await createDownWorld(1);
  const worker = workerTold();
  const promised = await askForQueued(world, 'promised');
  const deadline = await askForStuck(world, 'deadline');
  for (const id of [promised, deadline]) {
    await world.until('it is settled', isSettled(world, id), worker);
    expect(await executionOf(world, id)).toMatchObject({ outcome: 'COMPLETED', attempts: 2 });
    expect(await attemptsOf(world, id)).toEqual(['REJECTED', 'ACCEPTED']);
  }
  await expectMoved(world, promised, 'REJECTED');
});
