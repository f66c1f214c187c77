import { expect, test } from 'vitest';
import { runExperiment } from '../../../src/experiment/run/run-experiment.ts';
import { generatedLog } from './promises-of-a-log.ts';

test('no successor begins early, whenever it is submitted; ahead of the end it holds less than from the start', async () => {
  const { rows } = await runExperiment('chains', {
    source: generatedLog(0.85, 1600),
    parameters: { predictor: 'wait/qbets', runtime: 'baseline/requested', chains: 40, warmUpJobs: 600, prices: '1' },
  });
  const [after, atOnce, ahead] = rows;
  expect(rows.map(({ name }) => name)).toEqual(['after the end', 'at once, holding', 'ahead, price of holding 1']);
  for (const row of rows) {
    expect(row.chains).toBeGreaterThan(20);
    expect(row.leastGapSeconds).toBeGreaterThanOrEqual(0);
  }
  expect(new Set(rows.map(({ chains }) => chains)).size).toBe(1);
  expect(after).toMatchObject({ aheadShare: 0, heldRatio: 0, gaveUpShare: 0 });
  expect(ahead?.aheadShare).toBeGreaterThan(0);
  expect(Number(ahead?.heldRatio)).toBeLessThan(Number(atOnce?.heldRatio));
});
