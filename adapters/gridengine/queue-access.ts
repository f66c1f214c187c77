import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { QueueConfiguration } from './queues.ts';

/** Lists are changed by hand; looking costs the master a job number and a walk over its hosts. */
const FRESH_SECONDS = 300;

interface Answer {
  readonly askedAt: EpochSeconds;
  readonly accessLists: string;
  readonly refusal: string | null;
}

/** Which queues are not for our account, by asking the cell, of those queues alone that are not for everybody. */
export class QueueAccess {
  private readonly answers = new Map<string, Answer>();

  constructor(private readonly refusalOf: (queue: string) => Promise<string | null>) {}

  /** What the cell says against a job of ours in each queue that is not for us. */
  async refusals(queues: readonly QueueConfiguration[], now: EpochSeconds): Promise<ReadonlyMap<string, string>> {
    const answers = await Promise.all(
      queues.map(async ({ name, accessLists }) => {
        const refusal = accessLists === null ? null : await this.look(name, accessLists, now);
        return refusal === null ? [] : [[name, refusal] as const];
      }),
    );
    return new Map(answers.flat());
  }

  private async look(queue: string, accessLists: string, now: EpochSeconds): Promise<string | null> {
    const known = this.answers.get(queue);
    const isGood = known?.accessLists === accessLists && now - known.askedAt < FRESH_SECONDS;
    if (isGood) return known.refusal;
    const refusal = await this.refusalOf(queue);
    this.answers.set(queue, { askedAt: now, accessLists, refusal });
    return refusal;
  }
}
