import { expect, test } from 'vitest';
import { scopeOfRefusal } from '../../../src/plan/refusals.ts';

test.each([
  ['ACCESS', 'Batch job submission failed: Invalid account or account/partition combination specified'],
  ['ACCESS', "Batch job submission failed: User's group not permitted to use this partition"],
  ['ACCESS', 'Batch job submission failed: Invalid qos specification'],
  ['ACCESS', 'sbatch: error: invalid partition specified: debug'],
  ['ACCESS', 'qsub: Unauthorized Request'],
  ['ACCESS', 'Unable to run job: Job was rejected because job requests unknown queue "big".'],
  ['ACCESS', 'job rejected: your user does not have access to project "p": permission denied'],
  ['QUEUE_DOWN', 'Batch job submission failed: Required partition not available (inactive or drain)'],
  ['QUEUE_DOWN', 'qsub: Queue is not enabled'],
  ['SIZE', 'Batch job submission failed: Requested time limit is invalid (missing or exceeds some limit)'],
  ['SIZE', 'Batch job submission failed: Node count specification invalid'],
  ['SIZE', 'Batch job submission failed: Requested node configuration is not available'],
  ['SIZE', "Job violates accounting/QOS policy (user's size and/or time limits)"],
  ['SIZE', 'More processors requested than permitted (128 of 64 in batch)'],
  ['SIZE', 'qsub: Job exceeds queue resource limits MSG=cannot locate feasible nodes'],
  ['JOB', 'This does not look like a batch script.  The first line must start with #!'],
  ['JOB', 'Batch job submission failed: Invalid generic resource (gres) specification'],
  ['JOB', 'no words that anybody has heard of'],
])('%s: %s', (scope, words) => {
  expect(scopeOfRefusal(words)).toBe(scope);
});
