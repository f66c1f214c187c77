import { expect, test } from 'vitest';
import { RunModel } from '../../../../src/predict/runtime/gridcast/run-model.ts';

const PARAMETERS = { trees: 20, learningRate: 0.1, sharpness: 4, capacity: 1000, fitEvery: 300, levelStep: 0.05 };

function learn(model: RunModel, job: number): void {
  const features = Float32Array.of(job % 7, job % 3);
  model.submitted(`${job}`, { features, scaleSeconds: 1000, longestSeconds: 2000 }, true);
  model.ended(`${job}`, job, 10 * (job % 7) + ((job * 31) % 17), false);
}

test('after each job that teaches something else is said of jobs in the same leaves', () => {
  const model = new RunModel(PARAMETERS);
  for (let job = 0; job < 400; job++) learn(model, job);
  const asked = Float32Array.of(3, 1);
  const said = new Set<string>();
  for (let job = 400; job < 420; job++) {
    learn(model, job);
    const now = JSON.stringify(model.say(asked)?.percentiles);
    expect(JSON.stringify(model.say(asked.slice())?.percentiles)).toBe(now);
    said.add(now);
  }
  expect(said.size).toBeGreaterThan(15);
});

test('the shares of like jobs are those that are said', () => {
  const model = new RunModel(PARAMETERS);
  for (let job = 0; job < 400; job++) learn(model, job);
  const asked = Float32Array.of(3, 1);
  const like = model.likeShares(asked);
  expect(like.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 9);
  const reached = (last: number) => like.slice(0, last + 1).reduce((sum, { weight }) => sum + weight, 0);
  const middle = like.find((_, i) => reached(i) >= 0.5)?.share;
  expect(model.say(asked)?.middle).toBeCloseTo(middle as number, 2);
});
