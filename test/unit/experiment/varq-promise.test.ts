import { expect, test } from 'vitest';
import { QUANTILE_COUNT } from '../../../src/domain/forecast.ts';
import { askFor } from '../../../src/experiment/varq/varq-promise.ts';
import { VarqReservation } from '../../../src/experiment/varq/varq-reservation.ts';
import { VarqSite } from '../../../src/experiment/varq/varq-site.ts';
import { VarqTally } from '../../../src/experiment/varq/varq-tally.ts';
import type { WaitPredictor } from '../../../src/predict/predictor.ts';
import { createWaitPredictor } from '../../../src/predict/registry.ts';
import { UNKNOWN_ROW, Workload } from '../../../src/sim/workload.ts';

const RUN_SECONDS = 600;
const KNOWN_SECONDS = 1_000_000;

/** A site, known for long, at which every wait is said to be anything from nothing to 9,900 s, all alike. */
function fickleSite(): VarqSite {
  const workload = new Workload('by hand');
  for (const submitAt of [-KNOWN_SECONDS, 20_000])
    workload.add({ ...UNKNOWN_ROW, allocatedProcessors: 1, runSeconds: 60, requestedSeconds: 60, id: 1, submitAt });
  const told = createWaitPredictor('baseline/median');
  const quantileSeconds = Array.from({ length: QUANTILE_COUNT }, (_, i) => 100 * (i + 1));
  const predictor: WaitPredictor = {
    name: told.name,
    version: told.version,
    predict: (...asked) => ({ ...told.predict(...asked), pointSeconds: 5000, quantileSeconds }),
  };
  const site = new VarqSite(workload, 8, predictor, 300);
  site.advanceTo(600);
  return site;
}

/** What holding is expected to cost at the moment that is promised, in multiples of the work; null for no promise. */
function promisedPadding(probability: number, paddingCap: number): number | null {
  const work = { processors: 4, runSeconds: RUN_SECONDS, startAt: 20_000 };
  const wish = { work, probability, margin: 0, cap: 0, paddingCap, recomputeSeconds: 300 };
  const promise = askFor(fickleSite(), wish, new VarqTally());
  return promise && promise.reservation.terms.point.expectedHoldSeconds / RUN_SECONDS;
}

test('what holding may be expected to cost refuses what is dearer, and nothing else', () => {
  const [likely, even] = [promisedPadding(0.9, 0) as number, promisedPadding(0.5, 0) as number];
  expect(likely).toBeGreaterThan(5);
  expect(even).toBeGreaterThan(1);
  expect(even).toBeLessThan(3);
  expect(promisedPadding(0.9, 3)).toBeNull();
  expect(promisedPadding(0.5, 3)).toBe(even);
  expect(promisedPadding(0.9, 10)).toBe(likely);
});

test('it holds for as long as the promise waits', () => {
  const work = { processors: 4, runSeconds: RUN_SECONDS, startAt: 20_000 };
  const wish = { work, probability: 0.5, margin: 0, cap: 0, paddingCap: 3, recomputeSeconds: 300 };
  const reservation = askFor(fickleSite(), wish, new VarqTally())?.reservation;
  if (!reservation) throw new Error('nothing was promised');
  const dear = { ...reservation.terms, priceSeconds: 1e6, aimedProbability: 0.99 };
  const kept = { capped: dear, free: { ...dear, maxExpectedPaddingProcessorSeconds: null } };
  const submitAtOf = (terms: typeof dear) => {
    const alone = fickleSite();
    const held = new VarqReservation(alone, terms, alone.now);
    held.dueAt = 900;
    alone.advanceTo(900);
    held.next();
    return held.kept.execution.submitAt as number;
  };
  expect(submitAtOf(kept.capped)).toBeGreaterThan(submitAtOf(kept.free));
});
