import { describeResources } from './slurm-resources.ts';

// By ssh the same commands run, in the thorough test.
describeResources(['commands', 'rest']);
