import type { BillingWeights, LicenceCount, NodeShape, QueueAllocation } from '../../src/domain/node-shape.ts';
import { groupShapes, type Node } from '../shared/node-shapes.ts';
import { expandHostlist } from './hostlist.ts';
import { unaskedMemory } from './job-asks.ts';
import { partitionLayout, type SlurmLayout } from './layout.ts';
import { nodesOf, sizeIn } from './node-sizes.ts';
import type { SlurmEquipment, SlurmLicence, SlurmPartition } from './slurm-job.ts';

/** Nodes by what jobs can ask of them; none where it is not told which are whose. */
export function nodeShapesOf({ partitions, nodes }: SlurmLayout): NodeShape[] {
  const byNode = new Map<string, Node & { readonly queues: string[] }>();
  for (const partition of partitions) {
    for (const some of nodesOf(partition, nodes ?? [])) {
      const shape = { processors: sizeIn(partition, some), ...equipmentOf(some.equipment) };
      // A partition may grant less of a node than another one: there it is a node of another shape.
      const mark = shape.processors === some.processorsPerNode ? '' : `/${shape.processors}`;
      for (const host of expandHostlist(some.hostlist)) {
        const node = byNode.get(host + mark);
        if (node) node.queues.push(partition.name);
        else byNode.set(host + mark, { shape, isInService: some.isInService, queues: [partition.name] });
      }
    }
  }
  return groupShapes(
    Array.from(byNode.values(), ({ queues, ...node }) => ({ ...node, shape: { ...node.shape, queues } })),
  );
}

function equipmentOf(equipment: SlurmEquipment | null): Omit<Node['shape'], 'processors' | 'queues'> {
  if (!equipment) return { memoryMebibytes: null, gpus: [], features: [], tmpMebibytes: null };
  return equipment;
}

/** Licences by name, however many entries the site has of one. */
export function licenceCounts(licences: readonly SlurmLicence[]): LicenceCount[] {
  const counts = new Map<string, number>();
  for (const { name, total } of licences) counts.set(name, (counts.get(name) ?? 0) + total);
  return Array.from(counts, ([name, count]) => ({ name, count }));
}

/** What jobs in a partition are given beside what they ask for, by it or by us, and how it bills them. */
export function queueAllocation(layout: SlurmLayout, { name, billingWeights }: SlurmPartition): QueueAllocation | null {
  const where = partitionLayout(layout, name);
  if (!where) return null;
  const { defaultMemory, isWholeNodes, isMemoryCounted, maxMemoryPerProcessorMebibytes: most } = where;
  const perProcessor =
    defaultMemory && 'perProcessorMebibytes' in defaultMemory
      ? defaultMemory.perProcessorMebibytes
      : unaskedMemory(where);
  const isCounted = isMemoryCounted !== false;
  const billing = parseBillingWeights(billingWeights, layout.settings?.isBilledByLargest ?? false);
  return {
    ...(isWholeNodes && { wholeNodes: true }),
    ...(isCounted && perProcessor !== null && { defaultMemoryPerProcessorMebibytes: perProcessor }),
    ...(isCounted &&
      defaultMemory &&
      'perNodeMebibytes' in defaultMemory && { defaultMemoryPerNodeMebibytes: defaultMemory.perNodeMebibytes }),
    ...(isCounted && most !== null && { maxMemoryPerProcessorMebibytes: most }),
    ...(billing && { billing }),
  };
}

/**
 * Reads `CPU=1.0,Mem=0.25G,GRES/gpu=8.0`; null where nothing is weighed. Memory without a unit is by the megabyte. A
 * GPU counts as one, and once more as one of its kind.
 */
export function parseBillingWeights(text: string, isLargestOnly: boolean): BillingWeights | null {
  const words = Array.from(text.matchAll(/([^=,]+)=([\d.]+)([KMGTP]?)/gi));
  const weights = new Map(words.map(([, name = '', weight, unit = '']) => [name.toLowerCase(), weigh(weight, unit)]));
  if (weights.size === 0) return null;
  const perGpu = weights.get('gres/gpu')?.weight ?? 0;
  const kinds = Array.from(weights, ([name, { weight }]) => [/^gres\/gpu:(.+)$/.exec(name)?.[1], perGpu + weight]);
  const ofKinds = kinds.filter(([kind]) => kind !== undefined);
  return {
    perProcessor: weights.get('cpu')?.weight ?? 0,
    perGibibyte: weights.get('mem')?.perGibibyte ?? 0,
    perGpu,
    ...(ofKinds.length > 0 && { perGpuOfKind: Object.fromEntries(ofKinds) }),
    ...(isLargestOnly && { isLargestOnly }),
  };
}

function weigh(text: string | undefined, unit: string): { weight: number; perGibibyte: number } {
  const weight = Number(text);
  return { weight, perGibibyte: weight * (UNITS_PER_GIBIBYTE[unit.toUpperCase()] ?? 1) };
}

const UNITS_PER_GIBIBYTE: Readonly<Record<string, number>> = {
  ...{ K: 1024 ** 2, M: 1024, '': 1024, G: 1, T: 1 / 1024, P: 1 / 1024 ** 2 },
};
