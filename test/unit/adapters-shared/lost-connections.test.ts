import { expect, test } from 'vitest';
import { submissionFailure as gridEngine } from '../../../adapters/gridengine/failures.ts';
import { submissionFailure as oar } from '../../../adapters/oar/commands.ts';
import { submissionFailure as pbs } from '../../../adapters/pbs/commands.ts';
import { submissionFailure as slurmFailure } from '../../../adapters/slurm/failures.ts';

const slurm = (words: string) => slurmFailure(words, true);

/** Said by a `qsub` whose master was killed after it had accepted the job: it tries to connect anew. */
const ACCEPTED_AND_LOST =
  'error: commlib error: got read error (closing "gerace2/qmaster/1"); error: commlib error: got select error (Connection refused); Unable to run job: unable to send message to qmaster using port 6444 on host "gerace2": got send error';
const NEVER_REACHED =
  'error: commlib error: got select error (Connection refused); Unable to run job: unable to send message to qmaster using port 6444 on host "ge1": got send error';

test.each([
  ['Grid Engine', gridEngine, ACCEPTED_AND_LOST],
  ['Grid Engine', gridEngine, ACCEPTED_AND_LOST.replace('read error', 'write error')],
  ['Grid Engine', gridEngine, NEVER_REACHED.replace('Connection refused', 'Connection reset by peer')],
  ['Grid Engine', gridEngine, 'Unable to run job: failed receiving gdi request response for mid=1 (got no connection)'],
  ['OAR', oar, 'server closed the connection unexpectedly; could not connect to server: Connection refused'],
  ['OAR', oar, 'DBD::Pg::st execute failed: FATAL: terminating connection due to administrator command'],
  ['PBS', pbs, 'qsub: End of File; qsub: cannot connect to server pbs1 (errno=111)'],
  [
    'Slurm',
    slurm,
    'sbatch: error: Zero Bytes were transmitted or received; sbatch: error: Unable to contact slurm controller (connect failure)',
  ],
  ['Slurm', slurm, 'sbatch: error: Batch job submission failed: Protocol authentication error'],
])('%s: a submission whose connection was lost is in doubt, whatever became of the next one', (_site, failure, words) => {
  expect(failure(words)).toMatchObject({ kind: 'unknown' });
});

test.each([
  ['Grid Engine', gridEngine, NEVER_REACHED],
  ['OAR', oar, 'DBI connect(dbname=oar) failed: could not connect to server: Connection refused'],
  ['PBS', pbs, 'qsub: cannot connect to server pbs1 (errno=111)'],
  ['Slurm', slurm, 'sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)'],
])('%s: one that never reached it has not happened', (_site, failure, words) => {
  expect(failure(words)).toMatchObject({ kind: 'transient' });
});

test.each([
  ['Grid Engine', gridEngine, 'Unable to run job: Job was rejected because job requests unknown queue "nosuch.q"'],
  ['OAR', oar, '# ERROR: There are not enough resources for your request'],
  ['PBS', pbs, 'qsub: Unknown queue'],
  ['Slurm', slurm, 'sbatch: error: Batch job submission failed: Invalid partition name specified'],
])('%s: a refusal is a refusal', (_site, failure, words) => {
  expect(failure(words)).toMatchObject({ kind: 'final' });
});
