import { expect, test } from 'vitest';
import type { WaitForecast } from '../../../src/domain/forecast.ts';
import { computeTrajectory } from '../../../src/plan/trajectory.ts';
import { offerReservation } from './at-once.ts';

/** A site where a job waits 0, 1, ... 98 minutes with equal probability. */
const forecast: WaitForecast = {
  predictor: 'test',
  version: '1',
  madeAt: 0,
  observedAt: 0,
  sampleSize: 99,
  pointSeconds: 0,
  quantileSeconds: Array.from({ length: 99 }, (_, index) => 60 * index),
};

const asked = {
  walltimeSeconds: 600,
  startAt: 7200,
  holdUntilAt: 7200,
  earliestSubmitAt: 0,
  maxWalltimeSeconds: null,
  forecastAt: () => forecast,
};

test('what handing over takes is not left for waiting', () => {
  const prompt = computeTrajectory(asked);
  const slow = computeTrajectory({ ...asked, handoverSeconds: 300 });
  const probabilityAt = (trajectory: typeof prompt, at: number) =>
    trajectory.find(({ submitAt }) => submitAt === at)?.probability;
  expect(probabilityAt(prompt, 7200 - 600)).toBeCloseTo(0.11);
  expect(probabilityAt(slow, 7200 - 600)).toBeCloseTo(0.06);
  expect(probabilityAt(slow, 7200 - 300)).toBeCloseTo(0.01);
  expect(probabilityAt(slow, 7200 - 270)).toBe(0);
});

test('a promise is submitted that much earlier', () => {
  const submitAtWith = (handoverSeconds: number) => {
    const input = { ...asked, handoverSeconds, processors: 1, probability: 0.5, maxChargeProcessorSeconds: null };
    const offer = offerReservation(input);
    return offer.kind === 'PROMISE' ? offer.point.submitAt : null;
  };
  expect(submitAtWith(0)).toBe(7200 - 49 * 60);
  expect(submitAtWith(300)).toBe(7200 - 49 * 60 - 300);
});
