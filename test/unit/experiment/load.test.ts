import { expect, test } from 'vitest';
import { LoadLevels } from '../../../src/experiment/load/load-score.ts';
import { seriesOf, smoothed } from '../../../src/experiment/load/load-series.ts';
import { splitOf } from '../../../src/experiment/load/load-split.ts';
import { runExperiment } from '../../../src/experiment/run/run-experiment.ts';

test('the experiment gives the rows of Table II and ours, figures of a week, and says how the log was split', async () => {
  const source = { generated: { seed: 3, load: 0.6, processors: 64, jobs: 2500 } };
  const parameters = {
    predictors: 'load/gridcast,load/hazard/clustered,load/fitted-hazard/gamma/clustered,load/autoregressive',
  };
  const result = await runExperiment('load', { source, parameters });
  const ours = result.rows.filter(({ name }) => name.startsWith('load/'));
  expect(ours.map(({ name }) => name)).toEqual(parameters.predictors.split(','));
  expect(result.rows.find(({ name }) => name === 'paper/hazard-clustered')).toMatchObject({
    smoothedMse: 371,
    mae: 8.44,
  });
  for (const row of ours) {
    for (const metric of ['mse', 'mae', 'smoothedMse', 'smoothedMae', 'coverage90NextHour', 'coverage90Day']) {
      expect(Number.isFinite(row[metric] as number)).toBe(true);
    }
    expect(row.split).toMatch(/^\d+ \+ \d+ days$/);
    expect(row.smoothedMse).toBeLessThan(row.mse as number);
  }
  expect(result.figures.map(({ title }) => title)).toEqual(['Load over a week']);
  expect(result.figures[0]?.series.map(({ name }) => name)).toEqual(['asked for', ...parameters.predictors.split(',')]);
  expect(result.notes.join(' ')).toContain('split in half');
}, 120_000);

test('a row that is not known is refused with those there are', async () => {
  const source = { generated: { seed: 3, load: 0.6, processors: 64, jobs: 50 } };
  await expect(runExperiment('load', { source, parameters: { predictors: 'load/oracle' } })).rejects.toThrow(
    /no row load\/oracle; there are load\/gridcast/,
  );
});

test('two years are a year each, less is split in half', () => {
  expect(splitOf(2 * 365 * 288)).toEqual({ trainingSlots: 365 * 288, untilSlot: 2 * 365 * 288, isOfPaper: true });
  expect(splitOf(729 * 288)).toMatchObject({ trainingSlots: 365 * 288, untilSlot: 729 * 288, isOfPaper: true });
  expect(splitOf(5 * 365 * 288)).toMatchObject({ untilSlot: 2 * 365 * 288 });
  expect(splitOf(101)).toEqual({ trainingSlots: 50, untilSlot: 101, isOfPaper: false });
});

test('slots of a log and their moving average, by hand', () => {
  const at = (submitAt: number, processors: number) => ({
    ...{ nativeId: '1', user: null, queue: null, processors, requestedWalltimeSeconds: null },
    ...{ submitAt, startAt: null, endAt: null, outcome: null },
  });
  const { firstSlot, processors } = seriesOf([at(299, 1), at(300, 2), at(599, 3), at(1200, 4)]);
  expect(firstSlot).toBe(0);
  expect([...processors]).toEqual([1, 5, 0, 0, 4]);
  expect([...smoothed(processors, 1)]).toEqual([3, 2, 5 / 3, 4 / 3, 2]);
});

test('where several percentiles are the very outcome, it lies anywhere among them', () => {
  const levels = new LoadLevels();
  // Percentiles 1 to 60 are 0, the others 8.
  const percentiles = Array.from({ length: 99 }, (_, i) => (i < 60 ? 0 : 8));
  const forecast = { startsAt: 0, point: 3, percentiles, sampleSize: 9 };
  for (let i = 0; i < 61; i++) levels.add(forecast, 0);
  for (let i = 0; i < 39; i++) levels.add(forecast, 8);
  expect(levels.metrics('')).toMatchObject({ coverage50: 0.5, coverage90: expect.closeTo(0.9, 1) });
});
