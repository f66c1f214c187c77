import { describeSubmissions } from './slurm-submissions.ts';

describeSubmissions(36);
