import { forHours } from '../hours.ts';
import { describeSubmissions } from './slurm-submissions.ts';

describeSubmissions(forHours ? 1000 : 150);
