import { describeJobs } from './slurm-jobs.ts';

// By ssh the same commands run, in the nightly test.
describeJobs(['commands', 'rest']);
