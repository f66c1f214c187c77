import { expect, test } from 'vitest';
import { DAY_SECONDS } from '../../../src/domain/clock.ts';
import { driftExperiment } from '../../../src/experiment/drift/drift.ts';
import { pastOf } from '../../../src/experiment/drift/drift-past.ts';
import type { PartInput } from '../../../src/experiment/experiment.ts';
import { generateWorkload } from '../../../src/sim/generator.ts';

test('each log is the past of the next, unless pairs are told', () => {
  const parameters = { ...driftExperiment.parameters, alsoTraces: 'b,c', variants: 'heeds=present' };
  expect(driftExperiment.parts(parameters)).toEqual(['0>1 heeds=present', '1>2 heeds=present', '2>0 heeds=present']);
  expect(driftExperiment.parts({ ...parameters, pairs: '2>2' })).toEqual(['2>2 heeds=present']);
});

test('no more of a past is known than its log is long', () => {
  const log = generateWorkload({ seed: 1, load: 0.5, processors: 64, fromAt: 0 }, 400);
  const spanSeconds = (log.columns.submitAt[199] as number) - (log.columns.submitAt[0] as number);
  const untilAt = 1000 * DAY_SECONDS;
  const knownSeconds = (days: number) =>
    untilAt - pastOf(log, { processors: 64, untilAt, variant: 'heeds=present', days }).knownFromAt;
  expect(knownSeconds(30)).toBeGreaterThanOrEqual(spanSeconds - DAY_SECONDS);
  expect(knownSeconds(30)).toBeLessThanOrEqual(spanSeconds + DAY_SECONDS);
  expect(knownSeconds(0.5)).toBe(DAY_SECONDS / 2);
});

test('a log that is too short to live through is refused by name', async () => {
  const short = generateWorkload({ seed: 1, load: 0.5, processors: 64, fromAt: 0 }, 1);
  const input = { workload: short, seed: 1, parameters: driftExperiment.parameters, onProgress: () => undefined };
  await expect(driftExperiment.runPart('0>0 heeds=present', input as unknown as PartInput)).rejects.toThrow(
    /is too short: a half of it lasts 0 s, and has to last a day at least/,
  );
});
