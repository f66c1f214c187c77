import type { z } from 'zod';
import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { JobSpec } from '../../src/domain/job.ts';
import type { Acceptance } from '../../src/domain/site-adapter.ts';
import { assertDeliverable } from '../shared/deliverable.ts';
import { jobNameOf } from '../shared/job-name.ts';
import { assertPlainQueue } from '../shared/plain-queue.ts';
import { presentMoment } from '../shared/present-moment.ts';
import type { OarCommands } from './commands.ts';
import type { oarConfig } from './config.ts';
import { shapesOf } from './equipment.ts';
import { requestOptions, resourceRequest } from './job-asks.ts';
import { scriptCommand } from './script-command.ts';

const NODES_FRESH_SECONDS = 300;

/** Hands jobs over to an OAR server. */
export class Submissions {
  private largestNode: { readonly readAt: EpochSeconds; readonly processors: number } | null = null;

  constructor(
    private readonly commands: OarCommands,
    private readonly config: z.output<typeof oarConfig>,
  ) {}

  async submit(spec: JobSpec, key: string): Promise<Acceptance> {
    assertDeliverable(spec);
    assertPlainQueue(spec.queue);
    const nativeId = await this.commands.submit({
      jobName: jobNameOf(key),
      command: scriptCommand(spec),
      resources: resourceRequest(spec, this.config, await this.processorsPerNode(spec.processors)),
      walltimeSeconds: spec.walltimeSeconds,
      queue: spec.queue,
      requests: requestOptions(spec, this.config),
      workFolder: this.config.workFolder,
    });
    return { nativeId, submittedAt: presentMoment() };
  }

  /** Of the largest node; not asked for when it does not matter. */
  private async processorsPerNode(processors: number): Promise<number> {
    if (processors === 1) return 1;
    const now = presentMoment();
    if (this.largestNode === null || now - this.largestNode.readAt > NODES_FRESH_SECONDS) {
      const shapes = shapesOf(await this.commands.describeResources(), this.config, null);
      this.largestNode = { readAt: now, processors: Math.max(1, ...shapes.map((shape) => shape.processors)) };
    }
    return this.largestNode.processors;
  }
}
