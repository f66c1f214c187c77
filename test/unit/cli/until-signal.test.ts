import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startUnlessTold } from '../../../src/cli/commands/until-signal.ts';

const fails = () => Promise.reject(new Error('a child has ended'));

test('a start that fails of the signal that we hear a moment later is no failure', async () => {
  expect(await startUnlessTold(sleep(20), fails)).toEqual({ started: null, isTold: true });
  await expect(startUnlessTold(new Promise(() => undefined), fails)).rejects.toThrow('a child has ended');
});

test('what was started although we were told to end is there to be stopped', async () => {
  expect(await startUnlessTold(Promise.resolve(), () => sleep(10, 'started'))).toEqual({
    started: 'started',
    isTold: true,
  });
});
