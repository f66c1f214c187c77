import { describeSubmissions } from './slurm-submissions.ts';

// By ssh the same commands run, in the thorough test.
describeSubmissions(['commands', 'rest'], 36);
