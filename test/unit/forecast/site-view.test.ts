import { expect, test, vi } from 'vitest';
import { FollowedQuantities } from '../../../src/forecast/followed-quantities.ts';
import { SiteView } from '../../../src/forecast/site-view.ts';
import { RUNTIME } from '../../../src/predict/quantities.ts';

const JOB = { queue: null, user: null, processors: 8, requestedWalltimeSeconds: 3600, submitAt: 1000 };
const NOTHING_KNOWN = {
  knownPastSeconds: 0,
  walltimeShares: [],
  burstBytesPerSecond: null,
  knownWaitsByQueue: new Map<string, number>(),
};
const NAMES = [...RUNTIME.predictors.keys()].slice(0, 3);

test('a question about one quantity asks the predictor that decides and no other', () => {
  const quantities = new FollowedQuantities({ [RUNTIME.name]: NAMES }, {});
  const view = new SiteView(quantities, null, null, NOTHING_KNOWN);
  const runtimes = quantities.others.find(({ name }) => name === RUNTIME.name);
  const asked = Array.from(runtimes?.predictors.values() ?? [], (predictor) => vi.spyOn(predictor, 'predict'));

  const said = view.predictOther(RUNTIME.name, JOB, 1000);

  expect(said.predictor).toBe(NAMES[0]);
  expect(asked.map((one) => one.mock.calls.length)).toEqual([1, 0, 0]);
});

test('a question about every quantity asks all that are scored', () => {
  const view = new SiteView(new FollowedQuantities({ [RUNTIME.name]: NAMES }, {}), null, null, NOTHING_KNOWN);

  const said = view.predictOthers(JOB, 1000).filter(({ quantity }) => quantity === RUNTIME.name);

  expect(said.map(({ predictor }) => predictor)).toEqual(NAMES);
});
