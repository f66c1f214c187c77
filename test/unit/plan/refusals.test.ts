import { expect, test } from 'vitest';
import type { CandidateSite } from '../../../src/domain/plan.ts';
import {
  describeRefusal,
  findRefusal,
  holdsInEveryQueue,
  scopeOfRefusal,
  startsNever,
} from '../../../src/plan/refusals.ts';

const POLICY =
  "Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)";

test.each([
  ['QUEUE_FORBIDDEN', 'Batch job submission failed: Invalid account or account/partition combination specified'],
  ['QUEUE_FORBIDDEN', "Batch job submission failed: User's group not permitted to use this partition"],
  ['QUEUE_FORBIDDEN', 'Batch job submission failed: Invalid qos specification'],
  ['QUEUE_FORBIDDEN', 'sbatch: error: invalid partition specified: debug'],
  ['QUEUE_FORBIDDEN', 'qsub: Unauthorized Request'],
  ['QUEUE_FORBIDDEN', 'Unable to run job: Job was rejected because job requests unknown queue "big".'],
  ['QUEUE_FORBIDDEN', 'job rejected: your user does not have access to project "p": permission denied'],
  ['QUEUE_FORBIDDEN', 'InvalidAccount'],
  ['QUEUE_FORBIDDEN', 'InvalidQOS'],
  ['QUEUE_FORBIDDEN', 'QOSNotAllowed'],
  ['QUEUE_FORBIDDEN', 'AccountNotAllowed'],
  ['QUEUE_DOWN', 'Batch job submission failed: Required partition not available (inactive or drain)'],
  ['QUEUE_DOWN', 'qsub: Queue is not enabled'],
  ['SIZE', 'Batch job submission failed: Requested time limit is invalid (missing or exceeds some limit)'],
  ['SIZE', 'PartitionTimeLimit'],
  ['SIZE', 'Can Never Run: Insufficient amount of resource: ncpus (R: 400 A: 64 T: 64)'],
  ['SIZE', 'Batch job submission failed: Node count specification invalid'],
  ['SIZE', 'Batch job submission failed: Requested node configuration is not available'],
  ['SIZE', "Job violates accounting/QOS policy (user's size and/or time limits)"],
  ['SIZE', 'More processors requested than permitted (128 of 64 in batch)'],
  ['SIZE', 'qsub: Job exceeds queue resource limits MSG=cannot locate feasible nodes'],
  ['SIZE', `AssocMaxWallDurationPerJobLimit; ${POLICY}`],
  ['SIZE', `QOSMaxCpuPerJobLimit; ${POLICY}`],
  ['SIZE', `QOSMaxNodePerJobLimit; ${POLICY}`],
  ['SIZE', `QOSMaxWallDurationPerJobLimit; ${POLICY}`],
  ['SIZE', `AssocGrpCPUMinutesLimit; ${POLICY}`],
  ['JOB', `QOSMaxMemoryPerJob; ${POLICY}`],
  ['JOB', `AssocMaxMemPerJob; ${POLICY}`],
  ['JOB', `QOSMaxGRESPerJob; ${POLICY}`],
  ['JOB', `QOSMaxGRESPerNode; ${POLICY}`],
  ['JOB', `AssocMaxGRESPerJob; ${POLICY}`],
  ['JOB', `QOSMaxLicensePerJob; ${POLICY}`],
  ['JOB', `QOSMaxBillingPerJob; ${POLICY}`],
  ['JOB', `QOSMinGRES; ${POLICY}`],
  ['JOB', `QOSMinMemory; ${POLICY}`],
  ['JOB', `QOSMinCpuNotSatisfied; ${POLICY}`],
  ['JOB_LIMIT', `QOSMaxJobsPerUserLimit; ${POLICY}`],
  ['JOB_LIMIT', `AssocGrpJobsLimit; ${POLICY}`],
  ['JOB_LIMIT', `AssocGrpSubmitJobsLimit; ${POLICY}`],
  ['JOB_LIMIT', `QOSMaxSubmitJobPerUserLimit; ${POLICY}`],
  ['JOB_LIMIT', `AssocMaxSubmitJobLimit; ${POLICY}`],
  ['JOB_LIMIT', 'MaxSubmitJobsPerUser'],
  ['JOB_LIMIT', POLICY],
  ['JOB_LIMIT', 'slurm_submit_batch_job: MaxJobCount limit reached'],
  ['JOB_LIMIT', 'Batch job submission failed: Resource temporarily unavailable'],
  ['JOB_LIMIT', 'qsub: would exceed queue generic per-user limit of jobs in Q state'],
  ['JOB_LIMIT', 'qsub: Maximum number of jobs already in queue for user'],
  ['JOB_LIMIT', 'Unable to run job: job rejected: only 10 jobs are allowed per user (current job count: 10)'],
  ['JOB_LIMIT', '[ADMISSION RULE] too many jobs: you have 3, 3 are allowed'],
  ['JOB_LIMIT', '[ADMISSION RULE] Error: you cannot have more than 2 waiting jobs.'],
  ['JOB_LIMIT', 'sbatch: error: You may have at most 1 job in the debug partition'],
  ['JOB_LIMIT', 'sbatch: error: your limit of running jobs is reached'],
  ['JOB_LIMIT', 'Unable to run job: job rejected: only 1 jobs are allowed per cluster (current job count: 1)'],
  ['JOB_LIMIT', "qsub: would exceed complex's per-user limit"],
  ['JOB_LIMIT', 'qsub: submit error (Maximum number of jobs already in queue for user MSG=total number of jobs)'],
  ['SIZE', 'sbatch: error: the limit on the number of cores is 64'],
  ['SIZE', 'sbatch: error: more than the cores per job limit'],
  ['SIZE', 'qsub: Job would exceed the walltime of queue short'],
  ['SIZE', '[ADMISSION RULE] jobs of more than 12 hours are not allowed in this queue'],
  ['SIZE', '[ADMISSION RULE] jobs longer than 2:00:00 are not allowed'],
  ['SIZE', "sbatch: error: User's group not permitted to use more than 4 nodes"],
  ['SIZE', 'qsub: a walltime of 48:00:00 is not allowed'],
  ['JOB', 'sbatch: error: you may not use more than 64 GB'],
  ['JOB', 'sbatch: error: your account is not permitted to use more than 4 GPUs'],
  ['JOB', "[ADMISSION RULE] 'network_address' resource is not allowed"],
  ['QUEUE_FORBIDDEN', '[ADMISSION RULE] Only member of the group admin can submit jobs in the admin queue'],
  ['QUEUE_FORBIDDEN', '[ADMISSION RULE] root and oar users are not allowed to submit jobs.'],
  ['QUEUE_FORBIDDEN', 'sbatch: error: only users of chemistry may use this partition'],
  ['QUEUE_FORBIDDEN', 'sbatch: error: you are not a member of gpu-users'],
  ['QUEUE_FORBIDDEN', 'sbatch: error: partition big is reserved for staff'],
  ['QUEUE_FORBIDDEN', 'sbatch: error: You cannot submit to this partition'],
  ['QUEUE_FORBIDDEN', 'ERROR : The queue nosuch does not exist'],
  ['QUEUE_FORBIDDEN', 'Unable to run job: job rejected: no access to project "p" for user "u"'],
  ['QUEUE_FORBIDDEN', 'job rejected: your user id 0 is lower than minimum user id 1000 of cluster configuration'],
  ['QUEUE_DOWN', '[ADMISSION RULE] the queue default is not active'],
  ['JOB', 'This does not look like a batch script.  The first line must start with #!'],
  ['JOB', 'Batch job submission failed: Invalid generic resource (gres) specification'],
  ['JOB', 'no words that anybody has heard of'],
])('%s: %s', (scope, words) => {
  expect(scopeOfRefusal(words)).toBe(scope);
});

test('words about what the job itself names are about it alone', () => {
  const account = 'Batch job submission failed: Invalid account or account/partition combination specified';
  const named = { namesTerms: true, namesResources: false };
  expect(scopeOfRefusal(account, named)).toBe('JOB');
  expect(scopeOfRefusal('Batch job submission failed: Invalid qos specification', named)).toBe('JOB');
  expect(scopeOfRefusal('qsub: Unauthorized Request', named)).toBe('QUEUE_FORBIDDEN');
  const asks = { namesTerms: false, namesResources: true };
  expect(scopeOfRefusal('Batch job submission failed: Requested node configuration is not available', asks)).toBe(
    'JOB',
  );
  expect(scopeOfRefusal(`QOSMaxNodePerJobLimit; ${POLICY}`, asks)).toBe('JOB');
  expect(scopeOfRefusal(`QOSMaxWallDurationPerJobLimit; ${POLICY}`, asks)).toBe('SIZE');
  expect(scopeOfRefusal(account, asks)).toBe('QUEUE_FORBIDDEN');
});

test('the limit of a QOS is about its queue, that of an account about the whole site', () => {
  expect(holdsInEveryQueue('JOB_LIMIT', `AssocMaxSubmitJobLimit; ${POLICY}`)).toBe(true);
  expect(holdsInEveryQueue('JOB_LIMIT', 'slurm_submit_batch_job: MaxJobCount limit reached')).toBe(true);
  expect(holdsInEveryQueue('JOB_LIMIT', `QOSMaxSubmitJobPerUserLimit; ${POLICY}`)).toBe(false);
  expect(holdsInEveryQueue('JOB_LIMIT', 'qsub: Maximum number of jobs already in queue for user')).toBe(false);
  expect(holdsInEveryQueue('JOB_LIMIT', 'too many jobs: you have 3, 3 are allowed')).toBe(true);
  expect(holdsInEveryQueue('JOB_LIMIT', "qsub: would exceed complex's per-user limit")).toBe(true);
  expect(holdsInEveryQueue('JOB_LIMIT', 'You may have at most 1 job in the debug partition')).toBe(false);
  expect(holdsInEveryQueue('JOB_LIMIT', 'number of your jobs exceeds the queue limit: user u, queue q')).toBe(false);
  expect(holdsInEveryQueue('SIZE', 'AssocMaxCpuPerJobLimit')).toBe(true);
  expect(holdsInEveryQueue('SIZE', 'QOSMaxCpuPerJobLimit')).toBe(false);
  expect(holdsInEveryQueue('QUEUE_FORBIDDEN', 'AssocMaxCpuPerJobLimit')).toBe(false);
});

test('a limit of jobs counts on its terms and while as many are there', () => {
  const said = { processors: 1, walltimeSeconds: 60, siteSays: 'QOSMaxSubmitJobPerUserLimit', until: 900 };
  const site = { siteId: 's', name: 'east', state: 'ACTIVE', processors: 8, queues: [], observedAt: 0 } as const;
  const terms = { account: 'physics', qos: '', mostJobs: 3 };
  const refusal = { siteId: 's', queue: 'debug', scope: 'JOB_LIMIT', ...terms, ...said } as const;
  const at = (presentJobs: number): CandidateSite => ({ ...site, refusals: [{ ...refusal, presentJobs }] });
  const asked = { processors: 1, walltimeSeconds: 60, queue: null, deadlineAt: null };
  const request = { ...asked, terms: { account: 'physics' } };
  expect(findRefusal(request, 'debug', at(3))).toMatchObject(terms);
  expect(findRefusal(request, 'debug', at(2))).toBeNull();
  expect(findRefusal(request, 'batch', at(3))).toBeNull();
  expect(findRefusal(asked, 'debug', at(3))).toBeNull();
  const choice = [{ siteId: 's', account: 'chemistry' }];
  expect(findRefusal({ ...request, sites: choice }, 'debug', at(3))).toBeNull();
  expect(describeRefusal({ ...refusal, presentJobs: 3 }, 'east')).toContain('queue debug of east has as many');
});

test.each([
  ['AssocMaxCpuPerJobLimit', true],
  ['QOSMaxWallDurationPerJobLimit', true],
  ['QOSMaxGRESPerJob', true],
  ['QOSMaxCpuPerNode', true],
  ['QOSMinCpuNotSatisfied', true],
  ['PartitionTimeLimit', true],
  ['InvalidQOS', true],
  ['InvalidAccount', true],
  ['AccountNotAllowed', true],
  ['Can Never Run: Insufficient amount of resource: ncpus (R: 400 A: 64 T: 64)', true],
  ['Not Running: Insufficient amount of resource: ncpus', false],
  ['QOSMaxCpuPerUserLimit', false],
  ['PartitionNodeLimit', false],
  ['AssocMaxJobsLimit', false],
  ['QOSGrpCpuLimit', false],
  ['Resources', false],
  ['', false],
])('a job that waits for %s never starts: %s', (reason, never) => {
  expect(startsNever(reason)).toBe(never);
});
