import { describeResources } from './slurm-resources.ts';

describeResources(['ssh']);
