import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that take longest, in that order: begun first, so that at the end no worker is waited for alone. */
export const LONGEST = [
  'service/demo/demo-kills.nightly',
  'service/flow/kills.nightly',
  'service/demo/demo',
  'live/conformance/oar.nightly',
  'live/release.nightly',
  'live/slurm-refusal.nightly',
  'live/gridengine.nightly',
  'live/slurm-requeue.nightly',
  'live/conformance/slurm-rest.nightly',
  'live/conformance/slurm-commands.nightly',
  'live/conformance/slurm-ssh.nightly',
  'live/conformance/gridengine.nightly',
  'live/slurm-submissions.nightly',
  'live/slurm-texts.nightly',
  'live/slurm-jobs.nightly',
  'live/end-to-end',
  'live/slurm-requeue',
  'live/closed-queues',
  'live/oar',
  'live/slurm-submissions',
  'live/slurm-jobs',
  'unit/experiment/promises',
  'unit/experiment/promises.nightly',
  'service/flow/database-away',
  'service/flow/kills',
  'service/flow/fault-matrix.nightly',
  'service/flow/release-crashes.nightly',
  'service/flow/down-time-crashes.nightly',
  'service/flow/database-away.nightly',
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
