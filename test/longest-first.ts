import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that take longest, in that order: begun first, so that at the end no worker is waited for alone. */
export const LONGEST = [
  'service/cli/serve',
  'service/flow/held-back',
  'service/flow/remove-site',
  'service/flow/arrays',
  'service/flow/refusal',
  'service/cli/start',
  'service/flow/promises-kept',
  'service/flow/one-chain',
  'service/flow/one-life',
  'service/flow/any-quantity',
  'live/slurm-jobs',
  'live/site-words',
  'live/slurm-submissions',
  'live/tenant-users',
  'conformance/predictors/quantities.thorough',
  'service/forecast/lived-past.thorough',
  'service/demo/demo.thorough',
  'service/web/console-views.thorough',
  'unit/experiment/promises.thorough',
  'service/flow/database-away.thorough',
  'service/flow/release.thorough',
  'service/flow/kills.thorough',
  'live/end-to-end.thorough',
  'live/oar.thorough',
  'live/slurm-resources.thorough',
  'live/slurm-requeue.thorough',
  'live/closed-queues.thorough',
  'live/gridengine.thorough',
  'service/demo/demo-kills.nightly',
  'unit/forecast/live-site.nightly',
  'service/web/console-texts.nightly',
  'live/chains.nightly',
  'service/flow/kills.nightly',
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
  'unit/experiment/promises.nightly',
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
