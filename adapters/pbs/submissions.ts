import type { z } from 'zod';
import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { JobSpec } from '../../src/domain/job.ts';
import type { Acceptance } from '../../src/domain/site-adapter.ts';
import { assertDeliverable } from '../shared/deliverable.ts';
import { jobNameOf } from '../shared/job-name.ts';
import { assertPlainQueue } from '../shared/plain-queue.ts';
import { assertHonoured } from '../shared/plain-requests.ts';
import { presentMoment } from '../shared/present-moment.ts';
import { wrapJob } from '../shared/self-contained.ts';
import type { PbsCommands } from './commands.ts';
import type { pbsConfig } from './config.ts';
import { honoursOf, requestOptions } from './job-asks.ts';
import { processorRequest } from './processor-request.ts';

const NODES_FRESH_SECONDS = 300;

/** Hands jobs over to a PBS server. */
export class Submissions {
  private largestNode: { readonly readAt: EpochSeconds; readonly processors: number } | null = null;

  constructor(
    private readonly commands: PbsCommands,
    private readonly config: z.output<typeof pbsConfig>,
  ) {}

  async submit(spec: JobSpec, key: string): Promise<Acceptance> {
    assertDeliverable(spec);
    assertPlainQueue(spec.queue);
    const { dialect } = this.config;
    assertHonoured(spec, honoursOf(dialect), 'PBS');
    const nativeId = await this.commands.submit({
      jobName: jobNameOf(key),
      script: wrapJob(spec),
      resources: processorRequest(dialect, spec, await this.processorsPerNode(spec.processors)),
      requests: requestOptions(spec, dialect),
      walltimeSeconds: Math.max(1, Math.ceil(spec.walltimeSeconds)),
      queue: spec.queue,
      workFolder: this.config.workFolder,
    });
    return { nativeId, submittedAt: presentMoment() };
  }

  /** Of the largest node; not asked for when it does not matter. */
  private async processorsPerNode(processors: number): Promise<number> {
    if (processors === 1) return 1;
    const now = presentMoment();
    if (this.largestNode === null || now - this.largestNode.readAt > NODES_FRESH_SECONDS) {
      const nodes = await this.commands.listNodes();
      this.largestNode = { readAt: now, processors: Math.max(1, ...nodes.map((node) => node.processors)) };
    }
    return this.largestNode.processors;
  }
}
