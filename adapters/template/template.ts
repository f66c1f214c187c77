import { z } from 'zod';
import type { SiteFacts } from '../../src/domain/site.ts';
import type {
  Acceptance,
  AdapterCapabilities,
  HistoryPage,
  NativeJob,
  SiteAdapter,
} from '../../src/domain/site-adapter.ts';
import type { Snapshot } from '../../src/domain/snapshot.ts';

/**
 * How a site is reached. `adapters/shared/command-config.ts` has the fields of sites that are talked to by commands.
 */
export const templateConfig = z.strictObject({
  /** How long a job's end may take to appear in accounting. */
  accountingLagSeconds: z.number().nonnegative().default(60),
});

export type TemplateConfig = z.input<typeof templateConfig>;

/** Makes the adapter; nothing is contacted before the first verb. */
export function createTemplateAdapter(config: TemplateConfig): SiteAdapter {
  return new TemplateAdapter(templateConfig.parse(config));
}

/** What a verb throws that nobody has written yet: which one, what it must answer, and where that is explained. */
export class NotWritten extends Error {
  constructor(verb: keyof SiteAdapter, answer: string, step: number) {
    super(`${verb} is not written yet: ${answer} (docs/add-an-adapter.md, step ${step})`);
    this.name = 'NotWritten';
  }
}

/**
 * The beginning of a new adapter: copy this folder, rename it, and write verb after verb until the conformance suite is
 * green. It is not registered, so nobody can be given it as a site.
 */
class TemplateAdapter implements SiteAdapter {
  readonly capabilities: AdapterCapabilities;

  constructor({ accountingLagSeconds }: z.output<typeof templateConfig>) {
    this.capabilities = { accounting: true, accountingLagSeconds };
  }

  async facts(): Promise<SiteFacts> {
    throw new NotWritten('facts', 'return the processors of the whole site and its queues with their limits', 3);
  }

  async snapshot(): Promise<Snapshot> {
    const answer = 'return all waiting and running jobs of everybody, ours with their keys, from one listing';
    throw new NotWritten('snapshot', answer, 3);
  }

  async submit(): Promise<Acceptance> {
    const answer =
      'hand the script over with the key in the name or comment, return the native id; throw Rejected, Unavailable or Unknown';
    throw new NotWritten('submit', answer, 4);
  }

  async find(): Promise<NativeJob | null> {
    const answer = 'return the job that bears the key from queue or accounting, null only when both have answered';
    throw new NotWritten('find', answer, 4);
  }

  async inspect(): Promise<ReadonlyMap<string, NativeJob>> {
    const answer = 'return the state of each job by its native id, and leave out those that nobody mentions';
    throw new NotWritten('inspect', answer, 5);
  }

  async cancel(): Promise<void> {
    const answer = 'return when the job will hold no processors any more; an ended or unknown job is no error';
    throw new NotWritten('cancel', answer, 5);
  }

  async history(): Promise<HistoryPage> {
    const answer = 'return the records that changed since then, and where to go on so that no slice leaves a gap';
    throw new NotWritten('history', answer, 5);
  }

  async close(): Promise<void> {}
}
