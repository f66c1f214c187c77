import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that take longest, in that order: begun first, so that at the end no worker is waited for alone. */
export const LONGEST = [
  'service/demo/demo-kills.thorough',
  'service/flow/kills.thorough',
  'service/demo/demo',
  'live/conformance/oar.thorough',
  'live/release.thorough',
  'live/slurm-refusal.thorough',
  'live/gridengine.thorough',
  'live/slurm-requeue.thorough',
  'live/conformance/slurm-rest.thorough',
  'live/conformance/slurm-commands.thorough',
  'live/conformance/slurm-ssh.thorough',
  'live/conformance/gridengine.thorough',
  'live/slurm-submissions.thorough',
  'live/slurm-texts.thorough',
  'live/slurm-jobs.thorough',
  'live/end-to-end',
  'live/slurm-requeue',
  'live/closed-queues',
  'live/oar',
  'live/slurm-submissions',
  'live/slurm-jobs',
  'unit/experiment/promises',
  'unit/experiment/promises.thorough',
  'service/flow/database-away',
  'service/flow/kills',
  'service/flow/fault-matrix.thorough',
  'service/flow/release-crashes.thorough',
  'service/flow/down-time-crashes.thorough',
  'service/flow/database-away.thorough',
].map((name) => `/test/${name}.test.ts`);

/** Vitest's order where a checkout has no results yet, by size, would begin with long files and not with long tests. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = LONGEST.findIndex((name) => moduleId.endsWith(name));
      return rank === -1 ? LONGEST.length : rank;
    };
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}
