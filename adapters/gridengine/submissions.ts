import type { z } from 'zod';
import type { JobSpec } from '../../src/domain/job.ts';
import type { Acceptance } from '../../src/domain/site-adapter.ts';
import { assertDeliverable } from '../shared/deliverable.ts';
import { jobNameOf } from '../shared/job-name.ts';
import { assertPlainQueue } from '../shared/plain-queue.ts';
import { presentMoment } from '../shared/present-moment.ts';
import type { GridEngineCommands } from './commands.ts';
import type { gridEngineConfig } from './config.ts';
import { hostsAsked, requestOptions } from './job-asks.ts';
import type { Layout } from './layout.ts';
import { nativeScript } from './native-script.ts';

const TITLE_CHARACTERS = 200;

/** Hands jobs over to a cell. */
export class Submissions {
  constructor(
    private readonly commands: GridEngineCommands,
    private readonly layout: Layout,
    private readonly config: z.output<typeof gridEngineConfig>,
  ) {}

  async submit(spec: JobSpec, key: string): Promise<Acceptance> {
    assertDeliverable(spec);
    assertPlainQueue(spec.queue);
    const requests = await this.requestsOf(spec);
    const nativeId = await this.commands.submit({
      jobName: jobNameOf(key),
      title: [...spec.name].slice(0, TITLE_CHARACTERS).join(''),
      script: nativeScript(spec),
      walltimeSeconds: Math.max(1, Math.ceil(spec.walltimeSeconds)),
      processors: spec.processors,
      parallelEnvironment: await this.environmentFor(spec),
      queue: spec.queue,
      workFolder: this.config.workFolder,
      requests,
    });
    return { nativeId, submittedAt: presentMoment() };
  }

  /** The cell is not asked what it counts out where nothing is asked for. */
  private async requestsOf(spec: JobSpec): Promise<string[]> {
    const isAsked = spec.resources !== undefined && Object.keys(spec.resources).length > 0;
    return requestOptions(spec, this.config, isAsked ? await this.layout.complexes() : []);
  }

  private async environmentFor(spec: JobSpec): Promise<string | null> {
    const { processors, queue } = spec;
    const onHosts = hostsAsked(spec);
    if (processors === 1) return null;
    if (onHosts === null && this.config.parallelEnvironment !== undefined) return this.config.parallelEnvironment;
    return this.layout.environmentFor(processors, queue, onHosts);
  }
}
