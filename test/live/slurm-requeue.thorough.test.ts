import { describeRequeues } from './slurm-requeue.ts';

describeRequeues([['commands', 'alpha']], { hasPromise: false });
