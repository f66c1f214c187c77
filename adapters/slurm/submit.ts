import type { JobSpec } from '../../src/domain/job.ts';
import type { Acceptance } from '../../src/domain/site-adapter.ts';
import { assertDeliverable } from '../shared/deliverable.ts';
import { jobNameOf } from '../shared/job-name.ts';
import { presentMoment } from '../shared/present-moment.ts';
import type { SlurmController } from './client.ts';
import { asksFor, type JobDefaults } from './job-asks.ts';
import { type LayoutReader, partitionLayout } from './layout.ts';
import { nativeScript } from './native-script.ts';

/**
 * Hands a job in, laid out by what its partition is made of.
 * @throws SiteFailure as the adapter interface has it; Unavailable, too, while nothing is known of the cluster yet
 */
export async function submitJob(
  controller: SlurmController,
  layouts: LayoutReader,
  defaults: JobDefaults,
  spec: JobSpec,
  key: string,
): Promise<Acceptance> {
  assertDeliverable(spec);
  const where = partitionLayout(await layouts.recent(), spec.queue);
  const asks = asksFor(spec, jobNameOf(key), defaults, where);
  const nativeId = await controller.submit(nativeScript(spec), asks);
  return { nativeId, submittedAt: Math.floor(presentMoment()), key };
}
