import { describe, expect, test } from 'vitest';
import type { HeldExecution } from '../../../src/domain/snapshot.ts';
import { finish } from '../../../src/domain/steps.ts';
import { answerReplan, answerReservation } from '../../../src/forecast/answer.ts';
import type { HeldQuestion } from '../../../src/forecast/forecaster.ts';
import { SiteModel } from '../../../src/forecast/site-model.ts';

const PREDICTOR = 'wait/qbets';
const WAIT_SECONDS = 20;
const START_AT = 1_000_000;
const DUE_AT = START_AT - 60;
const OPTIONS = { predictor: PREDICTOR, handoverSeconds: 15 };

/** A site where every job has waited for 20 s. */
function steadySite(): SiteModel {
  const model = new SiteModel({ wait: [PREDICTOR] });
  for (let n = 0; n < 500; n++) {
    const submitAt = 1000 * n;
    const job = { nativeId: `${n}`, user: null, queue: null, processors: 1, requestedWalltimeSeconds: 600 };
    model.learn({ ...job, submitAt, startAt: submitAt + WAIT_SECONDS, endAt: submitAt + 100, outcome: 'COMPLETED' });
  }
  return model;
}

function held(now: number, holdPriceSeconds: number | null): HeldQuestion {
  const work = { queue: null, processors: 1, walltimeSeconds: 600, user: null, maxWalltimeSeconds: null };
  const terms = { startAt: START_AT, windowOpensAt: null, mode: 'HOLD', probability: 0.9, margin: 0 } as const;
  return {
    ...work,
    ...terms,
    maxChargeProcessorSeconds: null,
    executionId: 'held',
    now,
    submitAt: DUE_AT,
    latestSubmitAt: Number.POSITIVE_INFINITY,
    holdPriceSeconds,
  };
}

// With half a minute less there would be 15 s left for a wait of 20.
test.each([
  null,
  600,
])('a promise that is due is submitted now, also when its worker comes late (price %s)', (price) => {
  for (const lateSeconds of [0, 0.003, 1, 20]) {
    const { point } = finish(answerReplan(steadySite().view(), OPTIONS, held(DUE_AT + lateSeconds, price)));
    expect(point).toMatchObject({ submitAt: DUE_AT + lateSeconds, probability: 0.99 });
  }
});

test('a promise that is not due yet keeps to the submission times that all have in common', () => {
  const { point } = finish(answerReplan(steadySite().view(), OPTIONS, held(DUE_AT - 1234.5, null)));
  expect(point).toMatchObject({ submitAt: DUE_AT, probability: 0.99 });
});

test('what a question sees of its site stays as it was when the question began', () => {
  const model = steadySite();
  const before = { observedAt: DUE_AT - 100, processors: 8, freeProcessors: 0, waiting: [], running: [] };
  model.observe(before);
  const site = model.view();
  model.observe({ ...before, observedAt: DUE_AT, freeProcessors: 8 });
  const expected = { executionId: 'x', key: null, queue: null, processors: 1, requestedWalltimeSeconds: 60 };
  model.expect([{ ...expected, submitAt: DUE_AT }]);
  expect(site.state).toEqual(before);
  expect(model.view().state).toMatchObject({ observedAt: DUE_AT, waiting: [{ processors: 1 }] });
});

describe('work of ours that is held back', () => {
  const free = { observedAt: DUE_AT - 3600, processors: 8, freeProcessors: 8, waiting: [], running: [] };
  const others = { processors: 8, walltimeSeconds: 600, submitAt: DUE_AT - 1200, holdUntilAt: START_AT, createdAt: 10 };

  function siteWith(held: readonly HeldExecution[]) {
    const model = steadySite();
    model.observe(free);
    model.expect([], null, held);
    return model.view();
  }

  test('leaves no room for what is asked for at the same moment, whenever that would be submitted', () => {
    const asked = { ...held(DUE_AT - 3000, null), probability: 0.9 };
    const offerOf = (work: readonly HeldExecution[]) => finish(answerReservation(siteWith(work), OPTIONS, asked)).offer;
    expect(offerOf([])).toMatchObject({ kind: 'PROMISE' });
    expect(offerOf([{ ...others, executionId: 'other' }])).toMatchObject({ kind: 'REFUSAL', best: { probability: 0 } });
    expect(offerOf([{ ...others, executionId: 'other', processors: 7 }])).toMatchObject({ kind: 'PROMISE' });
    const muchLater = { submitAt: START_AT + 7200, holdUntilAt: START_AT + 9000 };
    expect(offerOf([{ ...others, ...muchLater, executionId: 'other' }])).toMatchObject({ kind: 'PROMISE' });
  });

  test('is told as what is in the way', () => {
    const asked = { ...held(DUE_AT - 3000, null), probability: 0.9 };
    const { offer } = finish(answerReservation(siteWith([{ ...others, executionId: 'other' }]), OPTIONS, asked));
    expect(offer).toMatchObject({ reason: expect.stringContaining('work that is held back there is in the way') });
  });

  test('moves a promise that was made after it, and none that was made before', () => {
    const other = { ...others, executionId: 'other' };
    const own = { ...others, executionId: 'held', submitAt: DUE_AT };
    const replanned = (createdAt: number) => {
      const site = siteWith([other, { ...own, createdAt }]);
      return finish(answerReplan(site, OPTIONS, held(DUE_AT - 3000, null))).point;
    };
    expect(replanned(9)).toMatchObject({ submitAt: DUE_AT, probability: 0.99 });
    expect(replanned(11)?.probability).toBe(0);
  });
});
