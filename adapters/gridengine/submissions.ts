import type { z } from 'zod';
import type { JobSpec } from '../../src/domain/job.ts';
import type { Acceptance } from '../../src/domain/site-adapter.ts';
import { assertDeliverable } from '../shared/deliverable.ts';
import { jobNameOf } from '../shared/job-name.ts';
import { assertPlainQueue } from '../shared/plain-queue.ts';
import { presentMoment } from '../shared/present-moment.ts';
import { selfContained } from '../shared/self-contained.ts';
import type { GridEngineCommands } from './commands.ts';
import type { gridEngineConfig } from './config.ts';
import type { Layout } from './layout.ts';

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
    const nativeId = await this.commands.submit({
      jobName: jobNameOf(key),
      title: [...spec.name].slice(0, TITLE_CHARACTERS).join(''),
      script: selfContained(spec),
      walltimeSeconds: Math.max(1, Math.ceil(spec.walltimeSeconds)),
      processors: spec.processors,
      parallelEnvironment: await this.environmentFor(spec),
      queue: spec.queue,
      workFolder: this.config.workFolder,
    });
    return { nativeId, submittedAt: presentMoment() };
  }

  private async environmentFor({ processors, queue }: JobSpec): Promise<string | null> {
    if (processors === 1) return null;
    return this.config.parallelEnvironment ?? this.layout.environmentFor(processors, queue);
  }
}
