import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { PastsInTurn } from '../../../src/forecast/pasts-in-turn.ts';

test('sites live through their pasts one after the other, each once, and nothing is begun before its turn', async () => {
  const events: string[] = [];
  const ends = new Map<string, () => void>();
  const pasts = new PastsInTurn(async (siteId) => {
    events.push(`${siteId} begins`);
    await new Promise<void>((end) => ends.set(siteId, end));
    events.push(`${siteId} ends`);
  });
  for (const siteId of ['a', 'b', 'c', 'a', 'b']) pasts.want(siteId);
  expect(pasts.hasTurn('a')).toBe(true);
  pasts.forget('a');
  pasts.forget('b');
  await sleep(0);
  expect(events).toEqual(['a begins']);
  ends.get('a')?.();
  await sleep(0);
  expect(pasts.hasTurn('c')).toBe(true);
  pasts.want('b');
  ends.get('c')?.();
  await sleep(0);
  ends.get('b')?.();
  await sleep(0);
  expect(events).toEqual(['a begins', 'a ends', 'c begins', 'c ends', 'b begins', 'b ends']);
  pasts.want('a');
  expect(pasts.hasTurn('a'), 'it may be wanted again').toBe(true);
});

test('who lives through a past gives way to those who ask the thread', async () => {
  let questions = 3;
  const pasts = new PastsInTurn(
    async (_siteId, giveWay) => {
      await giveWay();
      expect(questions).toBeLessThan(0);
    },
    () => questions-- > 0,
  );
  pasts.want('a');
  await expect.poll(() => pasts.hasTurn('a')).toBe(false);
  expect(questions).toBeLessThan(0);
});
