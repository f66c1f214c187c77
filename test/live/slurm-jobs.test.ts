import { describeJobs } from './slurm-jobs.ts';

// By ssh the same commands run, in the thorough test.
describeJobs(['commands', 'rest']);
