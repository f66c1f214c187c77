import { parseFeatures, parseGpus } from './parse-equipment.ts';
import { parseTimeLimit } from './parse-listing.ts';
import type {
  SlurmAssociation,
  SlurmDefaultMemory,
  SlurmLicence,
  SlurmNodes,
  SlurmPartition,
  SlurmProcessors,
  SlurmReservation,
  SlurmSettings,
} from './slurm-job.ts';

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
        access: {
          isOfOtherGroups: false,
          isRootOnly: value('RootOnly') === 'YES',
          needsReservation: value('ReqResv') === 'YES',
          allowAccounts: namesOrNull(value('AllowAccounts')),
          denyAccounts: namesOrNull(value('DenyAccounts')) ?? [],
          allowQos: namesOrNull(value('AllowQos')),
          denyQos: namesOrNull(value('DenyQos')) ?? [],
        },
        processors: Number(value('TotalCPUs')),
        nodes: Number(value('TotalNodes')),
        maxNodes: numberOrNull(value('MaxNodes')),
        maxProcessorsPerNode: numberOrNull(value('MaxCPUsPerNode')),
        maxSeconds: parseTimeLimit(value('MaxTime')),
        defaultMemory: defaultMemoryOf(value),
        maxMemoryPerProcessorMebibytes: numberOrNull(value('MaxMemPerCPU')),
        isWholeNodes: value('OverSubscribe').startsWith('EXCLUSIVE'),
        billingWeights: value('TRESBillingWeights'),
      };
    });
}

/**
 * Marks the partitions that Slurm shows only to those who ask for all of them, as those of other groups: it leaves out
 * those of groups one is not in. Hidden ones are left out too, but may be used.
 */
export function markOtherGroups(everything: string, ours: string): SlurmPartition[] {
  const seen = new Set(parsePartitions(ours).map(({ name }) => name));
  const hidden = new Set(
    Array.from(everything.matchAll(/^PartitionName=(\S+) .*\bHidden=YES\b/gm), ([, name]) => name),
  );
  return parsePartitions(everything).map((partition) => {
    const isOfOtherGroups = !seen.has(partition.name) && !hidden.has(partition.name);
    return { ...partition, access: { ...partition.access, isOfOtherGroups } };
  });
}

/**
 * Reads `scontrol show reservation --oneliner` with SLURM_TIME_FORMAT=%s; without reservations it says so in a
 * sentence.
 */
export function parseReservations(text: string): SlurmReservation[] {
  return text.split('\n').flatMap((line) => {
    const values = new Map(line.split(' ').map((word) => splitOnce(word)));
    const [startAt, endAt] = [Number(values.get('StartTime')), Number(values.get('EndTime'))];
    const name = values.get('ReservationName');
    if (name === undefined || !Number.isFinite(startAt) || !Number.isFinite(endAt)) return [];
    const processors = /cpu=(\d+)/.exec(values.get('TRES') ?? '')?.[1] ?? values.get('CoreCnt');
    const isMaintenance = (values.get('Flags') ?? '').split(',').includes('MAINT');
    const hostlist = values.get('Nodes') ?? '';
    return [{ name, startAt, endAt, processors: numberOrNull(processors ?? ''), hostlist, isMaintenance }];
  });
}

/** Reads `sinfo --noheader --format=%C`: allocated/idle/other/total of every node, each counted once. */
export function parseProcessors(text: string): SlurmProcessors {
  const [, allocated, idle, other] = /^(\d+)\/(\d+)\/(\d+)\/\d+$/.exec(text.trim()) ?? [];
  if (allocated === undefined) throw new RangeError(`sinfo's processors are not of the form A/I/O/T: ${text.trim()}`);
  return { allocated: Number(allocated), idle: Number(idle), other: Number(other) };
}

/** What `parseNodes` reads, a line for the nodes of a partition that are alike. */
export const NODES_FORMAT = '%R|%c|%D|%T|%m|%d|%f|%G|%N';

/** Reads `sinfo --noheader --exact --format=` with NODES_FORMAT. */
export function parseNodes(text: string): SlurmNodes[] {
  return linesOf(text).map((line) => {
    const [partition = '', processorsPerNode, nodes, state = '', ...others] = line.split('|');
    const [memory, tmp, features = '', gres = '', hostlist] = others;
    const group = { partition, nodes: Number(nodes), processorsPerNode: Number(processorsPerNode) };
    if (!Number.isInteger(group.nodes) || !Number.isInteger(group.processorsPerNode) || hostlist === undefined) {
      throw new RangeError(`sinfo's nodes are not of the form ${NODES_FORMAT}: ${line}`);
    }
    const sizes = { memoryMebibytes: Number(memory), tmpMebibytes: Number(tmp) };
    const equipment = { ...sizes, features: parseFeatures(features), gpus: parseGpus(gres) };
    return { ...group, hostlist, isInService: !OUT_OF_SERVICE.test(state), equipment };
  });
}

/**
 * States of nodes that take no jobs; the star is for those that do not answer. Source: man sinfo, section NODE STATE
 * CODES.
 */
const OUT_OF_SERVICE = /^(?:down|drain|fail|unk|inval|no_respond|maint|reboot|power|futur)|\*$/i;

/** Reads `scontrol show config`. */
export function parseSettings(text: string): SlurmSettings {
  const values = new Map(Array.from(text.matchAll(/^(\w+) *= (.*)$/gm), ([, name = '', value = '']) => [name, value]));
  const value = (name: string) => values.get(name)?.trim() ?? '';
  if (value('SelectType') === '') throw new RangeError("scontrol's configuration has no SelectType");
  return {
    isMemoryCounted: /_MEMORY\b/i.test(value('SelectTypeParameters')),
    defaultMemory: defaultMemoryOf(value),
    maxMemoryPerProcessorMebibytes: numberOrNull(value('MaxMemPerCPU')),
    isWholeNodes: value('SelectType') === 'select/linear',
    isBilledByLargest: value('PriorityFlags').split(',').includes('MAX_TRES'),
  };
}

/** Reads `scontrol show licenses --oneliner`; without licences it says so in a sentence. */
export function parseLicences(text: string): SlurmLicence[] {
  return Array.from(text.matchAll(/^LicenseName=(\S+) +Total=(\d+)/gm), ([, name = '', total]) => {
    return { name, total: Number(total) };
  });
}

function defaultMemoryOf(value: (name: string) => string): SlurmDefaultMemory {
  const perProcessorMebibytes = numberOrNull(value('DefMemPerCPU'));
  if (perProcessorMebibytes) return { perProcessorMebibytes };
  const perNodeMebibytes = numberOrNull(value('DefMemPerNode'));
  return perNodeMebibytes ? { perNodeMebibytes } : null;
}

/** Reads `scontrol show config`. */
export function parseClusterName(text: string): string {
  const name = /^ClusterName\s*=\s*(\S+)$/m.exec(text)?.[1];
  if (name === undefined) throw new RangeError("scontrol's configuration has no ClusterName");
  return name;
}

/** What `parseAssociations` reads. */
export const ASSOCIATION_FIELDS = ['Cluster', 'Account', 'User', 'Partition', 'ParentName', 'QOS', 'DefaultQOS'];

/** Reads `sacctmgr --noheader --parsable2 show associations` with ASSOCIATION_FIELDS. */
export function parseAssociations(text: string): SlurmAssociation[] {
  return linesOf(text).map((line) => {
    const [cluster, account, user, partition, parent, qos, defaultQos] = line.split('|');
    if (!cluster || !account || defaultQos === undefined) {
      throw new RangeError(`sacctmgr's associations are not of the form ${ASSOCIATION_FIELDS.join('|')}: ${line}`);
    }
    return {
      cluster,
      account: account.toLowerCase(),
      user: user || null,
      partition: partition || null,
      parent: parent?.toLowerCase() || null,
      qos: namesOrNull(qos ?? '') ?? [],
      defaultQos: defaultQos.toLowerCase() || null,
    };
  });
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** A list of names with commas, in lower case as Slurm keeps them; null for everything. */
export function namesOrNull(text: string): string[] | null {
  if (text === '' || text === 'ALL' || text === '(null)') return null;
  return text.toLowerCase().split(',');
}

function splitOnce(word: string): [string, string] {
  const at = word.indexOf('=');
  return [word.slice(0, at), word.slice(at + 1)];
}

function numberOrNull(text: string): number | null {
  return /^\d+$/.test(text) ? Number(text) : null;
}
