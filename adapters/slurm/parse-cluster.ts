import { parseTimeLimit } from './parse-listing.ts';
import type { SlurmPartition, SlurmProcessors, SlurmReservation } from './slurm-job.ts';

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
        state: value('State'),
        isForbidden: false,
        processors: Number(value('TotalCPUs')),
        nodes: Number(value('TotalNodes')),
        maxNodes: numberOrNull(value('MaxNodes')),
        maxProcessorsPerNode: numberOrNull(value('MaxCPUsPerNode')),
        maxSeconds: parseTimeLimit(value('MaxTime')),
      };
    });
}

/**
 * Marks the partitions that Slurm shows only to those who ask for all of them, as forbidden: it leaves out those of groups one is not in.
 * Hidden ones are left out too, but may be used.
 */
export function markForbidden(everything: string, ours: string): SlurmPartition[] {
  const seen = new Set(parsePartitions(ours).map(({ name }) => name));
  const hidden = new Set(
    Array.from(everything.matchAll(/^PartitionName=(\S+) .*\bHidden=YES\b/gm), ([, name]) => name),
  );
  return parsePartitions(everything).map((partition) => {
    return { ...partition, isForbidden: !seen.has(partition.name) && !hidden.has(partition.name) };
  });
}

/** Reads `scontrol show reservation --oneliner` with SLURM_TIME_FORMAT=%s; without reservations it says so in a sentence. */
export function parseReservations(text: string): SlurmReservation[] {
  return text.split('\n').flatMap((line) => {
    const values = new Map(line.split(' ').map((word) => splitOnce(word)));
    const [startAt, endAt] = [Number(values.get('StartTime')), Number(values.get('EndTime'))];
    const name = values.get('ReservationName');
    if (name === undefined || !Number.isFinite(startAt) || !Number.isFinite(endAt)) return [];
    const processors = /cpu=(\d+)/.exec(values.get('TRES') ?? '')?.[1] ?? values.get('CoreCnt');
    const isMaintenance = (values.get('Flags') ?? '').split(',').includes('MAINT');
    return [{ name, startAt, endAt, processors: numberOrNull(processors ?? ''), isMaintenance }];
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
