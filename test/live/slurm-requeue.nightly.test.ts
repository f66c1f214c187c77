import { describeRequeues } from './slurm-requeue.ts';

const WAYS = [
  ['rest', 'alpha'],
  ['file', 'beta'],
] as const;

describeRequeues(WAYS, { hasPromise: true });
