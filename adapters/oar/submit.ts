import type { z } from 'zod';
import type { JobSpec } from '../../src/domain/job.ts';
import type { Acceptance } from '../../src/domain/site-adapter.ts';
import { assertDeliverable } from '../shared/deliverable.ts';
import { jobNameOf } from '../shared/job-name.ts';
import { assertPlainQueue } from '../shared/plain-queue.ts';
import { presentMoment } from '../shared/present-moment.ts';
import type { OarCommands } from './commands.ts';
import type { oarConfig } from './config.ts';
import { scriptCommand } from './script-command.ts';

/** Hands a job over to an OAR server. */
export async function submit(
  commands: OarCommands,
  config: Pick<z.output<typeof oarConfig>, 'resource' | 'workFolder'>,
  spec: JobSpec,
  key: string,
): Promise<Acceptance> {
  assertDeliverable(spec);
  assertPlainQueue(spec.queue);
  const nativeId = await commands.submit({
    jobName: jobNameOf(key),
    command: scriptCommand(spec),
    processors: spec.processors,
    walltimeSeconds: spec.walltimeSeconds,
    queue: spec.queue,
    resource: config.resource,
    workFolder: config.workFolder,
  });
  return { nativeId, submittedAt: presentMoment() };
}
