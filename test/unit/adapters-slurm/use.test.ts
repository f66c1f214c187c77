import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { jobNameOf } from '../../../adapters/shared/job-name.ts';
import { parseAccounting } from '../../../adapters/slurm/parse-accounting.ts';
import { parseQueue } from '../../../adapters/slurm/parse-listing.ts';
import { parseRestRuns } from '../../../adapters/slurm/parse-rest-runs.ts';
import type { SlurmJob } from '../../../adapters/slurm/slurm-job.ts';
import { asRecord, splitQueue } from '../../../adapters/slurm/understand.ts';
import { useOfSteps, useOfTres } from '../../../adapters/slurm/use.ts';

/** One cluster with jobacct_gather/linux that looks every second, Slurm 22.05.8, told both ways. */
const recorded = (name: string) => readFileSync(new URL(`../../fixtures/slurm/${name}`, import.meta.url), 'utf8');
const MARK = '~mark~';
const runs = parseAccounting(recorded('sacct-use.txt'), MARK, 1);
const restRuns = parseRestRuns(JSON.parse(recorded('rest-use.json')), 1);
const named = (jobs: readonly SlurmJob[], name: string) => jobs.filter((job) => job.name === name);

describe('what jobs used', () => {
  test('is what all their steps did: the CPU time of each, the memory of the largest', () => {
    const [steps] = named(runs, 'steps');
    expect(steps?.use).toMatchObject({ cpuSeconds: expect.closeTo(6.057, 3), memoryBytes: 25_128_960 });
    expect(steps?.use).toMatchObject({ readBytes: 140_698, writtenBytes: 1082 });
  });

  test('is told of every run of a job that was put back, and of every task of an array', () => {
    expect(named(runs, 'requeued').map(({ state, use }) => [state, use?.cpuSeconds])).toEqual([
      ['REQUEUED', 0.003],
      ['COMPLETED', 0.002],
    ]);
    expect(named(runs, 'arr').map(({ id, use }) => [id, use?.cpuSeconds])).toEqual([
      ['3_1', 0.002],
      ['3_2', 0.002],
    ]);
  });

  test('over slurmrestd is the same', () => {
    expect(restRuns).toHaveLength(runs.length);
    for (const run of runs) {
      const same = restRuns.find(({ id, submitAt }) => id === run.id && submitAt === run.submitAt);
      const { cpuSeconds, ...others } = run.use ?? {};
      expect(same).toMatchObject({ name: run.name, group: 'bob', workFolder: run.workFolder, account: null });
      expect(same?.use).toEqual({ ...others, cpuSeconds: expect.closeTo(cpuSeconds ?? -1, 2) });
    }
  });

  test('in bytes is not told of runs of which the part after the last sample is large: they wrote 50 MB there', () => {
    const [plain] = parseAccounting(recorded('sacct-use.txt'), MARK, 30);
    expect(plain?.use).toEqual({ cpuSeconds: 3.035, memoryBytes: 11_898_880, readBytes: null, writtenBytes: null });
    const step = { cpuSeconds: 1, memoryBytes: 1, readBytes: 10, writtenBytes: 20, ranSeconds: 3600 };
    expect(useOfSteps([step], 30)).toMatchObject({ readBytes: 10, writtenBytes: 20 });
    const manyShort = Array.from({ length: 200 }, () => ({ ...step, ranSeconds: 10, writtenBytes: 0 }));
    expect(useOfSteps([step, ...manyShort], 30)).toMatchObject({ cpuSeconds: 201, writtenBytes: null });
  });

  test('is absent where nothing is gathered: a CPU time of nought was not measured then', () => {
    expect(useOfTres('00:00:00', '', '', '', 60)).toBeNull();
    expect(useOfSteps([null, null], 30)).toBeNull();
    expect(useOfSteps([], 30)).toBeNull();
  });

  test('in units that nobody knows is not told', () => {
    const use = useOfTres('1-00:00:01.500', '16?', 'cpu=00:00:01,fs/disk=3.5G,mem=16?', 'fs/disk=-1', 9000);
    expect(use).toMatchObject({
      cpuSeconds: 86_401.5,
      memoryBytes: null,
      readBytes: 3.5 * 1024 ** 3,
      writtenBytes: null,
    });
    expect(useOfTres('INVALID', '1.5M', 'cpu=00:00:07', '', 9)).toMatchObject({
      cpuSeconds: 7,
      memoryBytes: 1_572_864,
    });
  });

  test('is not told where slurmrestd gives one of the numbers that stand for none', () => {
    const document = JSON.parse(recorded('rest-use.json'));
    const [{ steps }] = document.jobs.slice(-1);
    for (const one of steps[0].tres.requested.total) one.count = one.type === 'fs' ? -2 : 2 ** 64;
    const use = parseRestRuns({ jobs: [{ ...document.jobs.at(-1), steps }] }, 1)[0]?.use;
    expect(use).toMatchObject({ memoryBytes: null, readBytes: null });
    expect(parseRestRuns({ jobs: [{ ...document.jobs[0], steps: null }] }, 1)[0]?.use).toBeNull();
  });
});

describe('what is told of the text of jobs', () => {
  const plain = named(runs, 'plain name: with|bar')[0] as SlurmJob;

  test("a stranger's name and folder are in his record and in the queue; what is not told is absent", () => {
    const workFolder = '/tmp';
    const program = { name: 'plain name: with|bar', script: null, arguments: [], workFolder };
    expect(asRecord(plain)).toMatchObject({ program, group: 'bob', use: plain.use });
    expect(asRecord(plain)).not.toHaveProperty('account');
    expect(asRecord({ ...plain, account: 'physics', group: null, use: null })).toMatchObject({ account: 'physics' });
    expect(asRecord({ ...plain, group: null, use: null })).not.toHaveProperty('use');
    const [waiting] = splitQueue(parseQueue(recorded('squeue.txt'), MARK)).waiting.filter(({ key }) => key === null);
    expect(waiting?.program).toEqual({ name: 'arr', script: null, arguments: [], workFolder: '/tmp' });
  });

  test('the key in the name of a job of ours is no program', () => {
    expect(asRecord({ ...plain, name: jobNameOf('gc-1') })).not.toHaveProperty('program');
    const own = splitQueue(parseQueue(recorded('squeue.txt'), MARK)).waiting.filter(({ key }) => key !== null);
    expect(own.length).toBeGreaterThan(0);
    for (const job of own) expect(job).not.toHaveProperty('program');
  });

  test('a job that never started used nothing that could be told', () => {
    expect(asRecord({ ...plain, state: 'CANCELLED', hasNodes: false })).not.toHaveProperty('use');
  });
});

describe('a run that was killed', () => {
  const row = (id: string, state: string, signal: string, tres: string, used: string) =>
    [
      ...[id, 'alice', 'batch', state, '1', '1', '2', '1000', '1001', '1005', 'n1', signal, 'hog', 'a', 'g', '/w'],
      ...[tres, '00:01', '', used, ''],
    ]
      .map((field) => field + MARK)
      .join('');
  const outcomeOf = (job: string[], step: string[]) => {
    const [line, under] = [job, step] as [[string, string], [string, string]];
    const text = `${row('7', ...line, 'billing=1,cpu=1,mem=100M', '')}\n${row('7.batch', 'CANCELLED', '0:9', ...under)}\n`;
    return parseAccounting(text, MARK, 1).map(({ state }) => state);
  };

  test('was out of memory where a step of it was seen with more than it might have', () => {
    const tooMuch = ['cpu=1,mem=100M', 'cpu=00:00:01,mem=346440K'];
    expect(outcomeOf(['FAILED', '0:9'], tooMuch)).toEqual(['OUT_OF_MEMORY']);
    expect(outcomeOf(['FAILED', '0:9'], ['cpu=1,mem=400M', 'mem=346440K'])).toEqual(['FAILED']);
    expect(outcomeOf(['FAILED', '0:9'], ['', 'mem=346440K'])).toEqual(['FAILED']);
    expect(outcomeOf(['FAILED', '1:0'], tooMuch)).toEqual(['FAILED']);
    expect(outcomeOf(['CANCELLED by 1001', '0:9'], tooMuch)).toEqual(['CANCELLED']);
  });
});
