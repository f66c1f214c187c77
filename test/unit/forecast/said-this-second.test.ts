import { expect, test, vi } from 'vitest';
import type { Submission } from '../../../src/domain/job.ts';
import { SaidThisSecond } from '../../../src/forecast/said-this-second.ts';
import { SiteModel } from '../../../src/forecast/site-model.ts';
import { WAIT } from '../../../src/predict/quantities.ts';

const JOB = { queue: 'batch', user: null, processors: 8, requestedWalltimeSeconds: 3600 };
const STATE = { observedAt: 900, processors: 64, freeProcessors: 64, waiting: [], running: [] };
const RECORD = {
  ...{ nativeId: '1', ...JOB, submitAt: 100, startAt: 200, endAt: 800, outcome: 'COMPLETED' as const },
};
const ON_THE_WAY = {
  ...{ executionId: 'e1', key: 'k1', queue: 'batch' },
  ...{ processors: 64, requestedWalltimeSeconds: 3600, submitAt: 990 },
};

function asked() {
  const said = new SaidThisSecond();
  const say = vi.fn((job: Submission, madeAt: number) => [{ madeAt, submitAt: job.submitAt }]);
  return { say, ask: (job: Submission, now: number) => said.of('who', job, now, say) };
}

test('who asks the same in the same second is told the same, as of its own moment', () => {
  const { say, ask } = asked();

  const first = ask({ ...JOB, submitAt: 1000.2 }, 1000.2);
  const second = ask({ ...JOB, submitAt: 1000.7 }, 1000.7);

  expect(first).toEqual([{ madeAt: 1000.2, submitAt: 1001 }]);
  expect(second).toEqual([{ madeAt: 1000.7, submitAt: 1001 }]);
  expect(say).toHaveBeenCalledTimes(1);
});

test('another job, another second and a later submission are asked for', () => {
  const { say, ask } = asked();

  ask({ ...JOB, submitAt: 1000.2 }, 1000.2);
  ask({ ...JOB, processors: 9, submitAt: 1000.2 }, 1000.2);
  ask({ ...JOB, submitAt: 1001.2 }, 1001.2);
  ask({ ...JOB, submitAt: 5000 }, 1001.2);
  ask({ ...JOB, submitAt: 5000 }, 1001.2);

  expect(say).toHaveBeenCalledTimes(5);
});

test('what is kept of a second is bounded', () => {
  const { say, ask } = asked();
  const askFor = (processors: number) => ask({ ...JOB, processors, submitAt: 1000 }, 1000);

  for (let processors = 1; processors <= 101; processors++) askFor(processors);
  askFor(101);
  expect(say).toHaveBeenCalledTimes(101);
  askFor(1);
  expect(say).toHaveBeenCalledTimes(102);
});

test.each([
  ['a record', (model: SiteModel) => model.learn(RECORD), { sampleSize: 1 }],
  ['a snapshot', (model: SiteModel) => model.observe({ ...STATE, observedAt: 950 }), { observedAt: 950 }],
  ['a job of our own on its way', (model: SiteModel) => model.expect([ON_THE_WAY]), { delaySeconds: 3600 }],
])('%s is in the next answer of the same second', (_, tell, inIt) => {
  const model = new SiteModel({ [WAIT.name]: ['baseline/median'] });
  model.observe(STATE);
  const ask = () => model.view().predict('baseline/median', { ...JOB, submitAt: 1000 }, 1000);

  expect(ask()).not.toMatchObject(inIt);
  tell(model);

  expect(ask()).toMatchObject(inIt);
});
