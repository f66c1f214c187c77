import { parseTimeLimit } from './parse-listing.ts';
import type { SlurmPartition, SlurmProcessors } from './slurm-job.ts';

/** Reads `scontrol show partition --oneliner`, a line of `Name=value` words per partition. */
export function parsePartitions(text: string): SlurmPartition[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('PartitionName='))
    .map((line) => {
      const values = new Map(line.split(' ').map((word) => splitOnce(word)));
      const value = (name: string) => values.get(name) ?? '';
      return {
        name: value('PartitionName'),
        isDefault: value('Default') === 'YES',
        isUp: value('State') === 'UP',
        processors: Number(value('TotalCPUs')),
        nodes: Number(value('TotalNodes')),
        maxNodes: numberOrNull(value('MaxNodes')),
        maxProcessorsPerNode: numberOrNull(value('MaxCPUsPerNode')),
        maxSeconds: parseTimeLimit(value('MaxTime')),
      };
    });
}

/** Reads `sinfo --noheader --format=%C`: allocated/idle/other/total of every node, each counted once. */
export function parseProcessors(text: string): SlurmProcessors {
  const [, allocated, idle, other] = /^(\d+)\/(\d+)\/(\d+)\/\d+$/.exec(text.trim()) ?? [];
  if (allocated === undefined) throw new RangeError(`sinfo's processors are not of the form A/I/O/T: ${text.trim()}`);
  return { allocated: Number(allocated), idle: Number(idle), other: Number(other) };
}

function splitOnce(word: string): [string, string] {
  const at = word.indexOf('=');
  return [word.slice(0, at), word.slice(at + 1)];
}

function numberOrNull(text: string): number | null {
  return /^\d+$/.test(text) ? Number(text) : null;
}
