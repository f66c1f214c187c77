import { expect, test } from 'vitest';
import { finishBySize, type SizedCandidate } from '../../../src/plan/job/finish-by-size.ts';

function candidate(siteId: string, processors: number, responseSeconds: number | null, changes = {}): SizedCandidate {
  const charge = { walltimeSeconds: 600, costProcessorSeconds: 600 * processors };
  return { siteId, queue: 'batch', processors, responseSeconds, ...charge, lostBecause: 'SLOWER', ...changes };
}

const SPREAD = {
  wait: [],
  runtime: [],
  finish: [
    { probability: 0.5, lowSeconds: 800, highSeconds: 1000 },
    { probability: 0.9, lowSeconds: 700, highSeconds: null },
  ],
  medianFinishSeconds: 900,
};

test('of every site and size the option that ends first is kept, by size', () => {
  const finishes = finishBySize([
    candidate('b', 16, 500),
    candidate('a', 4, 2000),
    candidate('a', 4, 1000, { queue: 'short', spread: SPREAD }),
    candidate('a', 8, null),
    candidate('a', 16, 700),
  ]);
  expect(finishes.map(({ siteId, processors }) => `${siteId} ${processors}`)).toEqual(['a 4', 'b 16', 'a 16']);
  expect(finishes[0]).toEqual({
    siteId: 'a',
    queue: 'short',
    processors: 4,
    walltimeSeconds: 600,
    finishSeconds: 900,
    lowSeconds: 700,
    highSeconds: null,
    chargeProcessorSeconds: 2400,
    isChosen: false,
  });
  expect(finishes[1]).toMatchObject({ finishSeconds: 500, lowSeconds: null, highSeconds: null });
});

test('the chosen option stands for its site and size though another would end first', () => {
  const chosen = candidate('a', 4, 1000, { lostBecause: null });
  const faster = candidate('a', 4, 900);
  for (const order of [
    [chosen, faster],
    [faster, chosen],
  ]) {
    expect(finishBySize(order)).toMatchObject([{ finishSeconds: 1000, isChosen: true }]);
  }
});

test('a plan that was made before sizes were kept has none', () => {
  const { processors: _processors, ...old } = candidate('a', 4, 100);
  expect(finishBySize([old])).toEqual([]);
});
