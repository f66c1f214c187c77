import { expect, test } from 'vitest';
import { handleAll, jobsOf, SomeFailed, wakeUpsOf } from '../../../src/flow/wake-up-jobs.ts';
import type { WakeUp } from '../../../src/store/outbox.ts';

const wakeUp = (targetId: string, kind: WakeUp['kind'] = 'EXECUTION'): WakeUp => {
  return { kind, targetId, wakeAt: 1000, requestId: null };
};
const now = (one: WakeUp) => ({ wakeUp: one, delayMilliseconds: 0, swept: null });

test('what executions want at once comes by few jobs, all else by jobs of its own', () => {
  const many = Array.from({ length: 70 }, (_, n) => now(wakeUp(`${n}`)));
  const late = { ...now(wakeUp('late')), delayMilliseconds: 5 };
  const swept = { ...now(wakeUp('swept')), swept: { version: 3, by: 7 } };
  const group = now(wakeUp('group', 'CO_ALLOCATION'));
  const jobs = jobsOf([...many, late, swept, group, now(wakeUp('0'))]);
  expect(jobs.map(({ data }) => wakeUpsOf(data).length)).toEqual([32, 32, 6, 1, 1, 1]);
  expect(jobs.flatMap(({ data }) => wakeUpsOf(data)).map(({ targetId }) => targetId)).toEqual([
    ...many.map((one) => one.wakeUp.targetId),
    ...['late', 'swept', 'group'],
  ]);
  expect(jobs.slice(3).map(({ opts }) => opts)).toEqual([
    { jobId: 'EXECUTION_late_1000000', delay: 5 },
    { jobId: 'EXECUTION_swept_1000000_swept_3_7', delay: 0 },
    { jobId: 'CO_ALLOCATION_group_1000000', delay: 0 },
  ]);
});

test('a single one has a name, so that it stays single however often it is brought', () => {
  expect(jobsOf([now(wakeUp('a'))])).toEqual([
    { name: 'EXECUTION', data: wakeUp('a'), opts: { jobId: 'EXECUTION_a_1000000', delay: 0 } },
  ]);
});

test('the wake-ups of a job are carried out at once; it comes again for the first of those that were early', async () => {
  const pauses = new Map([
    ['a', 50],
    ['b', 20],
  ]);
  const handle = async ({ targetId }: WakeUp) => {
    const againInMilliseconds = pauses.get(targetId);
    return againInMilliseconds === undefined ? ('DONE' as const) : { againInMilliseconds };
  };
  const fail = () => expect.fail('nothing has failed');
  expect(await handleAll([wakeUp('a'), wakeUp('b'), wakeUp('c')], handle, fail)).toBe(20);
  expect(await handleAll([wakeUp('a')], handle, fail)).toBe(50);
  expect(await handleAll([wakeUp('c'), wakeUp('d')], handle, fail)).toBeNull();
});

test('those that fail keep no other from being carried out, and each is told', async () => {
  const done: string[] = [];
  const failed: string[] = [];
  const handle = async ({ targetId }: WakeUp) => {
    if (targetId === 'bad') throw new Error('it cannot be carried out');
    done.push(targetId);
    return 'DONE' as const;
  };
  const all = handleAll([wakeUp('a'), wakeUp('bad'), wakeUp('b')], handle, (_, one) => failed.push(one.targetId));
  await expect(all).rejects.toThrow(SomeFailed);
  expect([done, failed]).toEqual([['a', 'b'], ['bad']]);
  await expect(handleAll([wakeUp('bad')], handle, (_, one) => failed.push(one.targetId))).rejects.toThrow(
    'carried out',
  );
  expect(failed).toEqual(['bad']);
});
