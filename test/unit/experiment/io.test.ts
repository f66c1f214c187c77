import { expect, test } from 'vitest';
import { scoreBursts } from '../../../src/experiment/io/burst-score.ts';
import { ioRow } from '../../../src/experiment/io/io-score.ts';
import { runExperiment } from '../../../src/experiment/run/run-experiment.ts';

const marks = (...minutes: number[]) =>
  Uint8Array.from({ length: 40 }, (_, minute) => (minutes.includes(minute) ? 1 : 0));

test('a burst is met by one that is foreseen within half a window of it', () => {
  const [actual, foreseen] = [marks(10, 11, 30), marks(8, 20)];
  expect(scoreBursts(actual, foreseen, 3)).toEqual({ sensitivity: 0, precision: 0 });
  expect(scoreBursts(actual, foreseen, 5)).toEqual({ sensitivity: 1 / 3, precision: 1 / 2 });
  expect(scoreBursts(actual, foreseen, 7)).toEqual({ sensitivity: 2 / 3, precision: 1 / 2 });
  expect(scoreBursts(actual, foreseen, 60)).toEqual({ sensitivity: 1, precision: 1 });
  expect(scoreBursts(marks(), foreseen, 5)).toEqual({ sensitivity: null, precision: 0 });
});

const ruled = (threshold: 'whole' | 'so-far', certainty = 0.5) => ({ threshold, certainty });

test('a burst is foreseen where as many of the courses have one as have to', () => {
  const minutes = (...bursts: number[]) =>
    Float64Array.from({ length: 40 }, (_, minute) => (bursts.includes(minute) ? 100 : 1));
  const told = { actual: minutes(10, 30), fromMinute: 0, knownAfterMinutes: 0 };
  const foreseen = [minutes(10, 20), minutes(10, 20), minutes(10), minutes(30)];
  const minutesAt = (certainty: number) =>
    ioRow('one', { ...told, foreseen }, ruled('whole', certainty)).foreseenBurstMinutes;
  expect([0.25, 0.5, 0.75, 1].map(minutesAt)).toEqual([3, 2, 1, 0]);
});

test('the level so far rests on minutes that are over, and known', () => {
  const actual = Float64Array.from({ length: 60 }, (_, minute) => (minute >= 40 ? 1e6 : minute % 2));
  const foreseen = [new Float64Array(60).fill(10)];
  const told = { actual, foreseen, fromMinute: 30 };
  expect(ioRow('one', { ...told, knownAfterMinutes: 5 }, ruled('so-far')).foreseenBurstMinutes).toBe(15);
  expect(ioRow('one', { ...told, knownAfterMinutes: 30 }, ruled('so-far')).foreseenBurstMinutes).toBe(30);
  expect(ioRow('one', { ...told, knownAfterMinutes: 5 }, ruled('whole')).foreseenBurstMinutes).toBe(0);
});

test('who knows everything foresees everything, and every table says that scripts are generated', async () => {
  const source = { generated: { seed: 5, load: 0.7, processors: 64, jobs: 300 } };
  const parameters = {
    history: 100,
    turnarounds: 'perfect,true',
    bytes: 'true,baseline/user-last-bytes',
  };
  const { rows, tables } = await runExperiment('io', { source, parameters });
  const [, , perfect, byLast, copied, both] = rows;
  expect(perfect).toMatchObject({ name: 'perfect & true', meanAccuracy: 1, sensitivity5: 1, precision5: 1 });
  expect(byLast?.name).toBe('perfect & baseline/user-last-bytes');
  expect(Number(byLast?.meanAccuracy)).toBeLessThan(1);
  expect(Number(copied?.meanAccuracy)).toBeGreaterThan(Number(both?.meanAccuracy));
  expect(tables.every(({ title }) => title.includes('generated scripts'))).toBe(true);
});
