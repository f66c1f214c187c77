import { expect, test } from 'vitest';
import type { RunningJob, WaitingJob } from '../../../src/domain/snapshot.ts';
import { prospectsIn } from '../../../src/plan/prospects.ts';

const REQUEST = { queue: 'batch', processors: 8, requestedWalltimeSeconds: 3600 };
const WAITING: WaitingJob = { ...REQUEST, nativeId: '1', key: 'k', submitAt: 0, user: 'ann', account: 'physics' };

function running(user: string | null, account?: string): RunningJob {
  return { ...REQUEST, nativeId: '2', key: null, submitAt: 0, startAt: 10, user, ...(account && { account }) };
}

const prospectOf = (reason: string | null, ...others: RunningJob[]) =>
  prospectsIn({ running: others })({ ...WAITING, reason });

test.each([
  'QOSMaxCpuPerUserLimit',
  'QOSMaxGRESPerUser',
  'QOSMaxMemoryPerAccount',
  'QOSGrpCpuLimit',
  'AssocGrpCPUMinutesLimit',
  'AssocGrpNodeLimit',
  "Not Running: would exceed user ann's limit on resource ncpus in complex",
  'Not Running: would exceed per-user limit on resource ncpus in queue batch',
  'Not Running: would exceed overall limit on resource ncpus in complex',
  'cannot run because it exceeds limit "ann/////" in rule "most/1"',
])('%s stops a job alone where nothing runs, and not where another of its user does', (reason) => {
  expect(prospectOf(reason)).toBe('LIMITED_ALONE');
  expect(prospectOf(reason, running('ann', 'physics'))).toBe('WAITS');
});

test('a limit of a user counts no jobs of others, one of an account none of other accounts, one of a group any', () => {
  const other = running('ben', 'chemistry');
  expect(prospectOf('QOSMaxCpuPerUserLimit', other)).toBe('LIMITED_ALONE');
  expect(prospectOf('QOSMaxCpuPerAccountLimit', other)).toBe('LIMITED_ALONE');
  expect(prospectOf('QOSMaxCpuPerAccountLimit', other, running('ben'))).toBe('WAITS');
  expect(prospectOf('QOSGrpCpuLimit', other)).toBe('WAITS');
});

test('where a site does not tell whose a job is, any that runs counts', () => {
  const nobodys = { ...WAITING, user: null, reason: 'QOSMaxCpuPerUserLimit' };
  expect(prospectsIn({ running: [running(null)] })(nobodys)).toBe('WAITS');
  expect(prospectsIn({ running: [] })(nobodys)).toBe('LIMITED_ALONE');
});

test.each([
  'QOSMaxJobsPerUserLimit',
  'QOSGrpSubmitJobsLimit',
  'AssocGrpJobsLimit',
  'Priority',
  'Resources',
  '',
  null,
])('%s is no such limit', (reason) => expect(prospectOf(reason)).toBe('WAITS'));

test('a job beyond a limit of each single job never starts, whatever runs', () => {
  expect(prospectOf('AssocMaxCpuPerJobLimit', running('ann'))).toBe('NEVER');
});
