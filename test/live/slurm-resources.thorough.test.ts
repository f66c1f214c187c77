import { describeResources } from './slurm-resources.ts';

// By ssh the same commands run, in the nightly test.
describeResources(['commands', 'rest']);
