import { afterEach, expect, test } from 'vitest';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { Unavailable, Unknown } from '../../../src/domain/failures.ts';
import type { FlowContext } from '../../../src/flow/context.ts';
import { attemptsOf, executionOf, isSettled } from './rows.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { createIdleWorld, WORK } from './usual-work.ts';
import { CLEAN, judge } from './witness.ts';

let world: SteppedWorld;
afterEach(() => world.close());

const TELLS_FOR_SECONDS = 240;

async function submit(): Promise<string> {
  const { commands, principal } = world;
  return (await submitJob(commands, principal, { ...WORK, siteIds: [], name: 'doubted', deadlineAt: null }))
    .executionId;
}

/**
 * A worker at a site without accounting that runs the first job, whose answer is lost, and cannot be asked for so long
 * after that; then it has forgotten the job.
 */
function workerOfForgetful(awaySeconds: number, isRun: boolean): FlowContext {
  let awayUntil: number | null = null;
  return world.worker({
    adapter: (adapter) => ({
      ...adapter,
      capabilities: { ...adapter.capabilities, accounting: false, endedInQueueSeconds: TELLS_FOR_SECONDS },
      async submit(spec, key) {
        if (awayUntil !== null) return adapter.submit(spec, key);
        awayUntil = world.clock.now() + awaySeconds;
        if (isRun) await adapter.submit(spec, key);
        throw new Unknown('no answer');
      },
      async find(key, at) {
        if (awayUntil !== null && world.clock.now() < awayUntil) throw new Unavailable('away', 'away');
        return isRun ? null : adapter.find(key, at);
      },
    }),
  });
}

test('a job whose answer was lost is not handed in again once its site would have forgotten that it ran', async () => {
  world = await createIdleWorld(31, 'east');
  const worker = workerOfForgetful(TELLS_FOR_SECONDS + 900, true);
  const id = await submit();
  await world.until('it is settled', isSettled(world, id), worker);
  const reason = expect.stringContaining('cannot tell whether it ran');
  expect(await executionOf(world, id)).toMatchObject({ outcome: 'LOST', attempts: 1, reason });
  expect(await attemptsOf(world, id)).toEqual(['ABSENT']);
});

test('as long as it would tell of the job its silence is believed, and the job is handed in again', async () => {
  world = await createIdleWorld(32, 'east');
  const worker = workerOfForgetful(0, false);
  const id = await submit();
  await world.until('it is settled', isSettled(world, id), worker);
  expect(await executionOf(world, id)).toMatchObject({ outcome: 'COMPLETED', attempts: 2 });
  expect(await attemptsOf(world, id)).toEqual(['ABSENT', 'ACCEPTED']);
  expect(await judge(world)).toMatchObject({ ...CLEAN, nativeJobs: 1 });
});
