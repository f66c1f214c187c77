import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endedJobs, parseRecords } from '../../../adapters/pbs/accounting-logs.ts';
import { parseJson, parseText } from '../../../adapters/pbs/attributes.ts';
import { asWaiting } from '../../../adapters/pbs/listed-jobs.ts';
import { jobsOf, type PbsJob } from '../../../adapters/pbs/parse.ts';
import { toldByDescription } from '../../../adapters/pbs/told.ts';

function fixture(name: string): string {
  return readFileSync(new URL(`../../fixtures/pbs/${name}`, import.meta.url), 'utf8');
}

const jobNamed = (jobs: readonly PbsJob[], nativeId: string) => jobs.find((job) => job.nativeId === nativeId) as PbsJob;

test('OpenPBS: name, folder, account, group and use; a project counts where there is no account', () => {
  const finished = jobsOf(parseJson(fixture('openpbs-finished.json'), 'Jobs'));
  const done = jobNamed(finished, '90.pbs');
  expect(done.use).toEqual({ cpuSeconds: 15, memoryBytes: 249_172 * 1024, readBytes: null, writtenBytes: null });
  const program = { name: 'done', script: null, arguments: [], workFolder: '/scratch/wrf' };
  expect(asWaiting(done)).toMatchObject({ account: 'climate', group: 'staff', program });
  expect(asWaiting(jobNamed(finished, '91.pbs'))).toMatchObject({ account: 'ocean', program: { name: 'failed' } });
  const use = { cpuSeconds: null, memoryBytes: null };
  expect(jobNamed(finished, '91.pbs').use).toMatchObject(use);
});

test('Torque: the same out of qstat -f and out of its logs, without the folder there', () => {
  const jobs = jobsOf(parseText(fixture('torque-jobs.txt')));
  const program = { name: 'a long name that is folded', workFolder: '/home/bob/run 1' };
  expect(asWaiting(jobNamed(jobs, '8.torque'))).toMatchObject({ account: 'physics', group: 'users', program });
  expect(asWaiting(jobNamed(jobs, '7.torque'))).not.toHaveProperty('program');
  expect(toldByDescription(parseText(fixture('torque-jobs.txt')).get('7.torque') ?? new Map())).toMatchObject({
    workFolder: '/home/alice',
  });
  const text = `${fixture('accounting-torque.txt').trimEnd()}\n# gridcast end\n`;
  const job = jobNamed(endedJobs(parseRecords(text, 'UTC')), '11925.torque');
  expect(asWaiting(job)).toMatchObject({ account: 'physics', group: 'company', program: { name: 'run' } });
  expect(job.use).toEqual({ cpuSeconds: 61, memoryBytes: 5984 * 1024, readBytes: null, writtenBytes: null });
});

test('what cannot be understood is not told: words of the machine, a time that is none, memory nobody looked at', () => {
  const used = (cput: string, mem: string) =>
    toldByDescription(
      new Map([
        ['resources_used.cput', cput],
        ['resources_used.mem', mem],
      ]),
    ).use;
  expect(used('a while', '10kw')).toMatchObject({ cpuSeconds: null, memoryBytes: null });
  expect(used('100:00:01', '0kb')).toMatchObject({ cpuSeconds: 360_001, memoryBytes: null });
});
