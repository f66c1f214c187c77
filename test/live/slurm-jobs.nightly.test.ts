import { describeJobs } from './slurm-jobs.ts';

describeJobs(['ssh']);
