import type { EpochSeconds } from '../../src/domain/clock.ts';
import { Rejected } from '../../src/domain/failures.ts';
import { presentMoment } from '../shared/present-moment.ts';
import type { GridEngineCommands } from './commands.ts';
import type { Complex } from './complexes.ts';
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
  readonly complexes: readonly Complex[];
}

/** The queues, parallel environments and hosts of a cell. */
export class Layout {
  private last: QueueReading | null = null;

  constructor(private readonly commands: GridEngineCommands) {}

  async read(): Promise<QueueReading> {
    const readAt = presentMoment();
    const [queues, environments, hosts, complexes] = await Promise.all([
      this.commands.listQueues(),
      this.commands.listParallelEnvironments(),
      this.commands.listHosts(),
      this.commands.listComplexes(),
    ]);
    this.last = { readAt, queues, environments, hosts, complexes };
    return this.last;
  }

  /** Resources that jobs may ask for. */
  async complexes(): Promise<readonly Complex[]> {
    return (await this.recent()).complexes;
  }

  /**
   * The parallel environment that a job of several processors fits best.
   * @param onHosts on how many hosts they have to be, evenly; null where that is left to the cell
   * @throws Rejected when the cell has none at all, or none for so many hosts
   */
  async environmentFor(processors: number, queue: string | null, onHosts: number | null = null): Promise<string> {
    const { queues, environments, hosts } = await this.recent();
    const chosen = chooseEnvironment(processors, queue, queues, environments, hosts, onHosts);
    if (chosen === null && onHosts !== null) {
      const what = `a job of ${processors} processors on ${onHosts === 1 ? 'one host' : `${onHosts} hosts`}`;
      throw new Rejected(
        `nodes: no parallel environment of the cell holds ${what}; ask for another number, or for none`,
      );
    }
    // Where none fits any will do: the cell refuses the job in words of its own.
    const name = chosen ?? environments[0]?.name;
    if (name !== undefined) return name;
    throw new Rejected(`the cell has no parallel environment, so no job of ${processors} processors; ask for one`);
  }

  private async recent(): Promise<QueueReading> {
    const isFresh = this.last && presentMoment() - this.last.readAt < QUEUES_FRESH_SECONDS;
    return isFresh ? (this.last as QueueReading) : await this.read();
  }
}
