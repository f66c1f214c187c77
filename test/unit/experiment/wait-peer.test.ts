import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runExperiment } from '../../../src/experiment/run/run-experiment.ts';
import { readPeer } from '../../../src/experiment/wait/peer-forecasts.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-peer-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};
const waitOf = (job: number) => (job * 7919) % 997;

/** @param status of the jobs that do not wait */
function log(name: string, wait: (job: number) => number, status = 1): string {
  const lines = Array.from(
    { length: 900 },
    (_, i) => `${i} ${60 * i} ${wait(i)} 600 ${1 + (i % 8)} -1 -1 -1 900 -1 ${status} ${i % 5} 1 -1 1 1 -1 -1`,
  );
  return write(name, `; MaxProcs: 16\n${lines.join('\n')}\n`);
}

describe("another program's forecasts beside ours", () => {
  const parameters = { predictors: 'baseline/median', scored: '300-599' };

  test('are scored on the same jobs, and compared with the first row', async () => {
    const rows = Array.from({ length: 900 }, (_, i) => `${i},${waitOf(i) + 10},${waitOf(i)},${waitOf(i) + 20}`);
    const peer = write('peer.csv', `job,point,p50,p90\n${rows.join('\n')}\n`);
    const source = { trace: log('waits.swf', waitOf) };
    const { rows: scored } = await runExperiment('wait', { source, parameters: { ...parameters, peer } });
    const [median, other] = scored;
    expect(other).toMatchObject({ name: `peer/${peer}`, jobs: 300, unanswered: 0 });
    expect(other?.aaeHours).toBeCloseTo(10 / 3600, 2);
    expect(other?.firstOverThis as number).toBeGreaterThan(10);
    expect(other?.firstOverThisLow as number).toBeLessThan(other?.firstOverThis as number);
    expect(median).not.toHaveProperty('firstOverThis');
    for (const row of scored) {
      expect(row).toMatchObject({ crpsHours: expect.any(Number), relativeError: expect.any(Number) });
      expect(row).not.toHaveProperty('errors');
    }
  });

  test('jobs that it leaves out are not answered', async () => {
    const peer = write('half.csv', `job,point\n${Array.from({ length: 450 }, (_, i) => `${i},100`).join('\n')}\n`);
    const source = { trace: log('waits.swf', waitOf) };
    const { rows } = await runExperiment('wait', { source, parameters: { ...parameters, peer } });
    expect(rows[1]).toMatchObject({ jobs: 300, unanswered: 150 });
    expect(rows[1]).not.toHaveProperty('crpsHours');
    expect(rows[1]).toMatchObject({ firstOverThisJobs: 150 });
  });

  test('levels that it does not tell neither hold nor fail', async () => {
    const source = { trace: log('waits.swf', waitOf) };
    const told = (count: number) => Array.from({ length: count }, (_, i) => `${i},${waitOf(i)},${waitOf(i) - 1}`);
    const some = write('some.csv', `job,point,p90\n${told(450).join('\n').replaceAll('-1', '0')}\n`);
    const points = write('points.csv', `job,point\n${Array.from({ length: 900 }, (_, i) => `${i},9`).join('\n')}\n`);
    const [, row] = (await runExperiment('wait', { source, parameters: { ...parameters, peer: some } })).rows;
    expect(row).toMatchObject({ unanswered: 150, coverage10: 0 });
    expect(row?.coverage90).toBeLessThan(0.02);
    const [, bare] = (await runExperiment('wait', { source, parameters: { ...parameters, peer: points } })).rows;
    expect(bare).toMatchObject({ unanswered: 0, aaeHours: expect.any(Number) });
    for (const metric of ['coverage50', 'brier', 'worstClass', 'medianBound95Hours']) {
      expect(bare).not.toHaveProperty(metric);
    }
  });

  test('percentiles between those that are told are drawn straight', () => {
    const told = readPeer(write('levels.csv', 'job,point,p90,p50\n7,3,180,100\n')).get('7');
    expect(told?.quantileSeconds.slice(0, 2)).toEqual([2, 4]);
    expect(told?.quantileSeconds[69]).toBeCloseTo(140, 9);
    expect(told?.quantileSeconds.slice(89)).toEqual(new Array(10).fill(180));
  });

  test.each([
    ['job,point\n1,abc\n', /point of row 1 .* is "abc"/],
    ['job,point\n1,-5\n', /point of row 1/],
    ['job\n1\n', /has no column point/],
    ['job,point,p50,p90\n1,2,100,50\n', /p90 of row 1 of .*odd.csv is 50, less than p50/],
    ['job,point\n1,2\n2,2\n1,9\n', /row 3 of .*odd.csv is of job 1, which a row before it is of/],
    ['job,point,p010\n1,2,3\n', /has a column p010; percentiles are called p1 to p99/],
    ['job,point,P50\n1,2,3\n', /has a column P50/],
    ['job,point,p97.5\n1,2,3\n', /has a column p97.5/],
    ['job,point,p 90\n1,2,3\n', /has a column p 90/],
    ['job,point,p50,p50\n1,2,3,4\n', /odd.csv is not a readable CSV: two columns are called p50/],
    ['job,point,job\n1,2,3\n', /two columns are called job/],
    ['job,point\n1,2,3\n', /not a readable CSV/],
  ])('%j is refused by name', (text, words) => {
    expect(() => readPeer(write('odd.csv', text))).toThrow(words);
  });

  test('a file that is not there is refused by name', () => {
    expect(() => readPeer(join(folder, 'none.csv'))).toThrow(/parameter peer: .*none.csv/);
  });

  test('one that tells none of the scored jobs is refused', async () => {
    const peer = write('others.csv', 'job,point\n5000,1\n');
    const source = { trace: log('waits.swf', waitOf) };
    await expect(runExperiment('wait', { source, parameters: { ...parameters, peer } })).rejects.toThrow(
      /none of the scored/,
    );
  });
});

test('a log without waits is refused in words', async () => {
  const source = { trace: log('none.swf', () => -1) };
  const parameters = { predictors: 'baseline/median', scored: '300-599' };
  await expect(runExperiment('wait', { source, parameters })).rejects.toThrow(/the log tells no wait/);
});

test('a status beyond those of the format stays what it is: 258 is not part of a checkpointed job', async () => {
  const source = { trace: log('odd-status.swf', waitOf, 258) };
  const parameters = { predictors: 'baseline/median', scored: '300-599' };
  const { rows } = await runExperiment('wait', { source, parameters });
  expect(rows[0]).toMatchObject({ jobs: 300 });
});

test('every large class of jobs has a row where they are asked for, the worst first', async () => {
  const source = { trace: log('waits.swf', waitOf) };
  const parameters = { predictors: 'baseline/median', scored: '100-899', classes: true };
  const { rows } = await runExperiment('wait', { source, parameters });
  const [row, worst] = rows;
  expect(worst?.name).toBe(`baseline/median, ${row?.worstClass}`);
  expect(worst?.deviationPoints).toBe(row?.worstClassDeviation);
  expect(worst).toMatchObject({ class50: expect.any(Number), classJobs: expect.any(Number) });
});
