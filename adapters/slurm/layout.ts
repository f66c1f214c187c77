import { SiteFailure } from '../../src/domain/failures.ts';
import { presentMoment } from '../shared/present-moment.ts';
import type { SlurmController } from './client.ts';
import { averageNodes, nodesOf } from './node-sizes.ts';
import type { SlurmDefaultMemory, SlurmNodes, SlurmPartition, SlurmProcessors, SlurmSettings } from './slurm-job.ts';

/** What a cluster is made of. */
export interface SlurmLayout {
  readonly partitions: readonly SlurmPartition[];
  readonly processors: SlurmProcessors;
  /** Null where it is not told which are whose. */
  readonly nodes: readonly SlurmNodes[] | null;
  /** Null where they are not told. */
  readonly settings: SlurmSettings | null;
}

/** What is to be known of a partition to hand a job in. */
export interface PartitionLayout {
  readonly partition: SlurmPartition;
  /** At least one; as if they were alike where they are not told. */
  readonly nodes: readonly SlurmNodes[];
  /** Whether memory is given out like processors; null where that is not told. */
  readonly isMemoryCounted: boolean | null;
  readonly defaultMemory: SlurmDefaultMemory;
  readonly maxMemoryPerProcessorMebibytes: number | null;
  /** Jobs never share its nodes. */
  readonly isWholeNodes: boolean;
}

/** A cluster's layout, remembered for jobs that are handed in. */
export class LayoutReader {
  private known: { readonly layout: SlurmLayout; readonly readAt: number } | null = null;
  private reading: Promise<SlurmLayout> | null = null;

  constructor(private readonly controller: SlurmController) {}

  /** As it is now. */
  read(): Promise<SlurmLayout> {
    this.reading ??= this.ask().finally(() => {
      this.reading = null;
    });
    return this.reading;
  }

  /**
   * As it was some minutes ago at most, or, while the cluster cannot be asked, when it was asked last.
   * @throws Unavailable when it has never been
   */
  async recent(): Promise<SlurmLayout> {
    if (this.known && presentMoment() - this.known.readAt < RECENT_SECONDS) return this.known.layout;
    try {
      return await this.read();
    } catch (error) {
      if (this.known && error instanceof SiteFailure) return this.known.layout;
      throw error;
    }
  }

  private async ask(): Promise<SlurmLayout> {
    const questions = [this.controller.partitions(), this.controller.capacity(), this.controller.settings()] as const;
    const [partitions, { processors, nodes }, settings] = await Promise.all(questions);
    const layout = { partitions, processors, nodes, settings };
    this.known = { layout, readAt: presentMoment() };
    return layout;
  }
}

const RECENT_SECONDS = 600;

/** The partition of a name, or without one the default; null where there is none or it has no nodes. */
export function partitionLayout(layout: SlurmLayout, queue: string | null): PartitionLayout | null {
  const partition = layout.partitions.find(({ name, isDefault }) => (queue === null ? isDefault : name === queue));
  if (!partition || partition.nodes === 0) return null;
  const own = layout.nodes && nodesOf(partition, layout.nodes);
  const nodes = own && own.length > 0 ? own : [averageNodes(partition)];
  return { partition, nodes, ...allocationOf(partition, layout.settings) };
}

/** What a partition's jobs are given beside what they ask for: by its own rules, else by the cluster's. */
export function allocationOf(
  partition: SlurmPartition,
  settings: SlurmSettings | null,
): Omit<PartitionLayout, 'partition' | 'nodes'> {
  return {
    isMemoryCounted: settings?.isMemoryCounted ?? null,
    defaultMemory: partition.defaultMemory ?? settings?.defaultMemory ?? null,
    maxMemoryPerProcessorMebibytes:
      partition.maxMemoryPerProcessorMebibytes ?? settings?.maxMemoryPerProcessorMebibytes ?? null,
    isWholeNodes: partition.isWholeNodes || (settings?.isWholeNodes ?? false),
  };
}
