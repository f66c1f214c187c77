import { expect, test } from 'vitest';
import type { Steps } from '../../../src/domain/steps.ts';
import { Turns } from '../../../src/forecast/turns.ts';

/** Work of that many steps, which notes each in a diary. */
function* work(name: string, steps: number, diary: string[]): Steps<string> {
  for (let step = 0; step < steps; step++) {
    diary.push(name);
    yield;
  }
  return name;
}

test('each asker gets a turn, however much another one has asked', async () => {
  const diary: string[] = [];
  const turns = new Turns(0);
  const large = [1, 2, 3].map((n) => turns.compute('busy', work(`busy${n}`, 1000, diary)));
  expect(await turns.compute('modest', work('modest', 5, diary))).toBe('modest');
  expect(diary.filter((name) => name !== 'modest').length).toBeLessThanOrEqual(7);
  expect(await Promise.all(large)).toEqual(['busy1', 'busy2', 'busy3']);
});

test('a small question of the same asker does not wait for a large one', async () => {
  const diary: string[] = [];
  const turns = new Turns(0);
  const large = turns.compute('one', work('large', 1000, diary));
  await turns.compute('one', work('small', 3, diary));
  expect(diary.filter((name) => name === 'large').length).toBeLessThanOrEqual(5);
  await large;
});

test('what nobody waits for any more is dropped where it stands', async () => {
  const diary: string[] = [];
  const turns = new Turns(0);
  const controller = new AbortController();
  const dropped = turns.compute('one', work('dropped', 1000, diary), controller.signal);
  const other = turns.compute('two', work('other', 20, diary));
  controller.abort(new Error('left'));
  await expect(dropped).rejects.toThrow('left');
  await other;
  expect(diary.filter((name) => name === 'dropped').length).toBeLessThanOrEqual(2);
});

test('a fault in one question is that of its asker alone', async () => {
  const turns = new Turns(0);
  // biome-ignore lint/correctness/useYield: it fails at its first step
  const faulty = (function* (): Steps<never> {
    throw new RangeError('no such predictor');
  })();
  const failed = turns.compute('one', faulty);
  const fine = turns.compute('two', work('fine', 2, []));
  await expect(failed).rejects.toThrow('no such predictor');
  expect(await fine).toBe('fine');
});

test('a question that is dropped is told, so that it keeps nothing waiting', async () => {
  const turns = new Turns(0);
  const controller = new AbortController();
  let isOver = false;
  const steps = (function* (): Steps<never> {
    try {
      for (;;) yield;
    } finally {
      isOver = true;
    }
  })();
  const dropped = turns.compute('one', steps, controller.signal);
  controller.abort(new Error('left'));
  await expect(dropped).rejects.toThrow('left');
  expect(isOver).toBe(true);
});

test('a question that nobody would cancel ends by a deadline', async () => {
  const turns = new Turns(0, 20);
  const endless = (function* (): Steps<never> {
    for (;;) yield;
  })();
  await expect(turns.compute('one', endless)).rejects.toThrow('no answer within 20 ms');
});

test('it is told whether somebody waits for an answer', async () => {
  const turns = new Turns(0);
  expect(turns.isBusy).toBe(false);
  const answer = turns.compute('one', work('one', 3, []));
  expect(turns.isBusy).toBe(true);
  await answer;
  await expect.poll(() => turns.isBusy).toBe(false);
});
