import { expect, test } from 'vitest';
import type { RunningJob, Snapshot } from '../../../src/domain/snapshot.ts';
import { ForeseenChargesTally } from '../../../src/experiment/varq/foreseen-charges.ts';
import { Foresight } from '../../../src/experiment/varq/foresight.ts';

/** A machine of 8 whose job of 8 was submitted at 0 and has ended from `freeFrom` on. */
function stateAt(observedAt: number, freeFrom: number): Snapshot {
  const job: RunningJob = {
    nativeId: '1',
    key: null,
    user: null,
    queue: null,
    processors: 8,
    requestedWalltimeSeconds: 10_000,
    submitAt: 0,
    startAt: 0,
  };
  const isFree = observedAt >= freeFrom;
  return { observedAt, processors: 8, freeProcessors: isFree ? 8 : 0, waiting: [], running: isFree ? [] : [job] };
}

function holdsWhenFreeFrom(freeFrom: number) {
  const foresight = new Foresight({ processors: 4, runSeconds: 600, startAt: 1000 });
  for (const at of [100, 400, 700, 1000, 1300]) foresight.look(stateAt(at, freeFrom));
  return foresight.holds;
}

test('who knows when the machine is free submits right before the start, whoever does so at once holds from then', () => {
  expect(holdsWhenFreeFrom(0)).toEqual({ latestSeconds: 0, atOnceSeconds: 900 });
  expect(holdsWhenFreeFrom(600)).toEqual({ latestSeconds: 0, atOnceSeconds: 450 });
});

test('nothing is in time where the machine is free after the start', () => {
  expect(holdsWhenFreeFrom(1200)).toEqual({ latestSeconds: null, atOnceSeconds: null });
});

test('the bound keeps as many promises as were kept, those that cost least for their work', () => {
  const tally = new ForeseenChargesTally();
  const add = (runSeconds: number, latestSeconds: number | null, atOnceSeconds: number | null) =>
    tally.add({ processors: 2, runSeconds, startAt: 0 }, { latestSeconds, atOnceSeconds });
  add(1000, 500, 2000);
  add(1000, 0, 1000);
  add(3000, 300, null);
  add(1000, null, null);
  expect(tally.charges(2)).toEqual({
    keepableShare: 0.75,
    clairvoyantChargeRatio: (4000 + 300) / 4000,
    atOnceChargeRatio: (2000 + 3000) / 2000,
  });
});
