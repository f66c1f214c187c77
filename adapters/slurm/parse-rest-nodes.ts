import { z } from 'zod';
import type { SlurmCapacity } from './client.ts';
import { parseFeatures, parseGpus } from './parse-equipment.ts';
import type { SlurmEquipment, SlurmNodes } from './slurm-job.ts';

const nodesDocument = z.object({
  nodes: z.array(
    z.object({
      name: z.string(),
      state: z.string(),
      state_flags: z.array(z.string()).nullish(),
      cpus: z.number(),
      alloc_cpus: z.number().nullish(),
      partitions: z.array(z.string()).nullish(),
      real_memory: z.number().nullish(),
      temporary_disk: z.number().nullish(),
      active_features: z.string().nullish(),
      gres: z.string().nullish(),
    }),
  ),
});
type RestNode = z.output<typeof nodesDocument>['nodes'][number];

/**
 * Reads the document of `/slurm/<version>/nodes` as sinfo counts processors: idle ones only where jobs may be put. Up
 * to v0.0.36 it tells neither how many processors of a node are allocated, so that a node that runs anything counts as
 * full, nor the partitions of a node.
 */
export function parseRestNodes(document: unknown): SlurmCapacity {
  const { nodes } = nodesDocument.parse(document);
  const processors = { allocated: 0, idle: 0, other: 0 };
  for (const node of nodes) {
    const allocated = node.alloc_cpus ?? (/^(alloc|mix|comp)/i.test(node.state) ? node.cpus : 0);
    processors.allocated += allocated;
    processors[isOut(node) ? 'other' : 'idle'] += node.cpus - allocated;
  }
  return { processors, nodes: nodes.every(({ partitions }) => partitions) ? nodesByPartition(nodes) : null };
}

function nodesByPartition(nodes: readonly RestNode[]): SlurmNodes[] {
  return nodes.flatMap((node) =>
    (node.partitions ?? []).map((partition) => {
      const group = { partition, nodes: 1, hostlist: node.name, processorsPerNode: node.cpus };
      return { ...group, isInService: !isOut(node), equipment: equipmentOf(node) };
    }),
  );
}

function equipmentOf({ real_memory, temporary_disk, active_features, gres }: RestNode): SlurmEquipment | null {
  if (typeof real_memory !== 'number') return null;
  const features = parseFeatures(active_features ?? '');
  return { memoryMebibytes: real_memory, tmpMebibytes: temporary_disk ?? 0, features, gpus: parseGpus(gres ?? '') };
}

function isOut({ state, state_flags }: RestNode): boolean {
  return /^(down|unknown|error|future)/i.test(state) || (state_flags ?? []).some((flag) => OUT.has(flag));
}

/** Flags of nodes that take no jobs. */
const OUT = new Set(['DRAIN', 'FAIL', 'MAINTENANCE', 'POWERED_DOWN', 'NOT_RESPONDING', 'INVALID_REG', 'REBOOT']);
