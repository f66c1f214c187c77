import type { EpochSeconds } from '../../src/domain/clock.ts';
import { Rejected } from '../../src/domain/failures.ts';
import { presentMoment } from '../shared/present-moment.ts';
import type { GridEngineCommands } from './commands.ts';
import type { Hosts } from './parse.ts';
import { chooseEnvironment, type ParallelEnvironment, type QueueConfiguration } from './queues.ts';

/** Queues and parallel environments change seldom: jobs are matched with them as they were read so long ago at most. */
const QUEUES_FRESH_SECONDS = 300;

/** Where jobs can go, as it was at one moment. */
export interface QueueReading {
  readonly readAt: EpochSeconds;
  readonly queues: readonly QueueConfiguration[];
  readonly environments: readonly ParallelEnvironment[];
  readonly hosts: Hosts;
}

/** The queues, parallel environments and hosts of a cell. */
export class Layout {
  private last: QueueReading | null = null;

  constructor(private readonly commands: GridEngineCommands) {}

  async read(): Promise<QueueReading> {
    const readAt = presentMoment();
    const [queues, environments, hosts] = await Promise.all([
      this.commands.listQueues(),
      this.commands.listParallelEnvironments(),
      this.commands.listHosts(),
    ]);
    this.last = { readAt, queues, environments, hosts };
    return this.last;
  }

  /**
   * The parallel environment that a job of several processors fits best.
   * @throws Rejected when the cell has none at all
   */
  async environmentFor(processors: number, queue: string | null): Promise<string> {
    const isFresh = this.last && presentMoment() - this.last.readAt < QUEUES_FRESH_SECONDS;
    const { queues, environments, hosts } = isFresh ? (this.last as QueueReading) : await this.read();
    const chosen = chooseEnvironment(processors, queue, queues, environments, hosts);
    // Where none fits any will do: the cell refuses the job in words of its own.
    const name = chosen ?? environments[0]?.name;
    if (name !== undefined) return name;
    throw new Rejected(`the cell has no parallel environment, so no job of ${processors} processors; ask for one`);
  }
}
