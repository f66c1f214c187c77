import { expect, test } from 'vitest';
import type { WaitQuery } from '../../../src/domain/forecast.ts';
import { type Snapshot, withoutJob } from '../../../src/domain/snapshot.ts';
import { tell } from '../../../src/predict/past/tell.ts';
import { watchPast } from '../../../src/predict/past/watched-past.ts';
import type { WaitPredictor } from '../../../src/predict/predictor.ts';
import { createWaitPredictor, WAIT_PREDICTORS } from '../../../src/predict/registry.ts';
import type { PredictorSettings } from '../../../src/predict/settings.ts';
import { simulatedRecords } from '../../simulated-records.ts';

const PROCESSORS = 64;
const records = simulatedRecords(700, PROCESSORS);

function queryAt(submitAt: number): WaitQuery {
  return { queue: null, user: '1', processors: 8, requestedWalltimeSeconds: 3600, submitAt, isOneOfMany: true };
}

/** The state as it was observed, and the same without a job, which nobody was told of. */
function statesOf(state: Snapshot): Snapshot[] {
  const [job] = [...state.running, ...state.waiting];
  return job ? [state, withoutJob(state, job.nativeId)] : [state];
}

const GIVEN: PredictorSettings = { runtimes: 'runtime/gridcast', load: 'load/gridcast' };
const OF_WAITS: readonly (readonly [string, PredictorSettings])[] = [
  ...[...WAIT_PREDICTORS.keys()].filter((name) => name.startsWith('wait/')).map((name) => [name, {}] as const),
  ['wait/gridcast', GIVEN],
];

test.each(OF_WAITS)('%s %o answers alike whatever it was asked before, and of which object', (name, settings) => {
  const [often, once] = [createWaitPredictor(name, settings), createWaitPredictor(name, settings)];
  const by = (predictor: WaitPredictor, state: Snapshot, at: number) => {
    const { quantileSeconds, pointSeconds } = predictor.predict(queryAt(at + 600), state, at);
    return [pointSeconds, ...quantileSeconds];
  };
  let states: Snapshot[] = [];
  let compared = 0;
  for (const sight of watchPast(records, { processors: PROCESSORS, snapshotSeconds: 1800 })) {
    if (sight.kind === 'snapshot') {
      for (const state of states.slice(1)) {
        const said = by(often, state, sight.at - 1);
        expect(by(once, state, sight.at - 1)).toEqual(said);
        expect(by(often, structuredClone(state), sight.at - 1)).toEqual(said);
        compared++;
      }
      states = statesOf(sight.state);
    } else for (const state of states) by(often, state, sight.at);
    for (const predictor of [often, once]) tell(predictor, sight);
  }
  expect(compared).toBeGreaterThan(100);
});
