import { forHours } from '../hours.ts';
import { describeSubmissions } from './slurm-submissions.ts';
import { SLURM_WAYS } from './slurm-ways.ts';

describeSubmissions(SLURM_WAYS, forHours ? 1000 : 150);
