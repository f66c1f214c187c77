import { expandHostlist } from './hostlist.ts';
import type { SlurmNodes, SlurmPartition, SlurmReservation } from './slurm-job.ts';

/** The nodes of a partition among those of all. */
export function nodesOf({ name }: SlurmPartition, nodes: readonly SlurmNodes[]): SlurmNodes[] {
  return nodes.filter(({ partition }) => partition === name);
}

/** For lists of nodes. */
export function isInService(nodes: SlurmNodes): boolean {
  return nodes.isInService;
}

/** As if all nodes of a partition were alike; where they are not, the site may still refuse a job. */
export function averageNodes({ name, nodes, processors }: SlurmPartition): SlurmNodes {
  const processorsPerNode = nodes === 0 ? 0 : processors / nodes;
  return { partition: name, nodes, hostlist: '', processorsPerNode, isInService: true, equipment: null };
}

/**
 * How many processors one job gets of nodes: as much of each as it may have, of as many as it may have, the largest
 * first.
 */
export function largestJob(partition: SlurmPartition, nodes: readonly SlurmNodes[]): number {
  const sizes = nodes.map((some) => ({ count: some.nodes, size: sizeIn(partition, some) }));
  let left = partition.maxNodes ?? Number.POSITIVE_INFINITY;
  let processors = 0;
  for (const { count, size } of sizes.sort((a, b) => b.size - a.size)) {
    const taken = Math.min(count, left);
    processors += taken * size;
    left -= taken;
  }
  return Math.floor(processors);
}

/** All processors of nodes that jobs in a partition may have. */
export function processorsOf(partition: SlurmPartition, nodes: readonly SlurmNodes[]): number {
  return nodes.reduce((sum, some) => sum + some.nodes * sizeIn(partition, some), 0);
}

/**
 * How many of the processors of each partition a reservation sets aside, by partition, those it does not touch left
 * out. Of nodes that it takes only in part, as many as it can: which ones is not told.
 */
export function setAside(
  { hostlist, processors }: SlurmReservation,
  partitions: readonly SlurmPartition[],
  nodes: readonly SlurmNodes[],
): Record<string, number> {
  const reserved = new Set(expandHostlist(hostlist));
  const counts = partitions.map((partition) => {
    const taken = nodesOf(partition, nodes).map((some) => {
      return { ...some, nodes: expandHostlist(some.hostlist).filter((name) => reserved.has(name)).length };
    });
    const all = processorsOf(partition, taken);
    return [partition.name, Math.min(all, processors ?? all)] as const;
  });
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** How many processors of each of some nodes jobs in a partition may have. */
export function sizeIn({ maxProcessorsPerNode }: SlurmPartition, { processorsPerNode }: SlurmNodes): number {
  return Math.min(processorsPerNode, maxProcessorsPerNode ?? Number.POSITIVE_INFINITY);
}
