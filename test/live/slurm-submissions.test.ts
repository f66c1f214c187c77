import { describeSubmissions } from './slurm-submissions.ts';

// By ssh the same commands run, in the nightly test.
describeSubmissions(['commands', 'rest'], 36);
