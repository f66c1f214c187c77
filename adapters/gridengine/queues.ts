import type { QueueFacts } from '../../src/domain/site.ts';
import { attributesOf, unfold } from './attributes.ts';
import { runsBatchJobs, sum, takesJobs } from './capacity.ts';
import { parseSeconds } from './duration.ts';
import type { Hosts, QueueInstance } from './parse.ts';
import { barOf } from './queue-bars.ts';

/** A cluster queue as `qconf -sq` shows it. */
export interface QueueConfiguration {
  readonly name: string;
  readonly sequence: number;
  /** The largest of its hosts; null where there is none. */
  readonly maxWalltimeSeconds: number | null;
  readonly parallelEnvironments: readonly string[];
  /** Its lists of users and projects that may and may not use it, as they stand there; null when there are none. */
  readonly accessLists: string | null;
}

/** A parallel environment as `qconf -sp` shows it: what spreads a job's slots over hosts. */
export interface ParallelEnvironment {
  readonly name: string;
  readonly slots: number;
  /** `$pe_slots` all on one host, `$fill_up`, `$round_robin`, or a number of slots for each host. */
  readonly allocationRule: string;
}

/** Reads `qconf -sq <names>`: blocks of `attribute value`, in which a backslash continues the line. */
export function parseQueues(text: string): QueueConfiguration[] {
  const blocks = unfold(text).split(/^(?=qname\s)/m);
  return blocks
    .map(attributesOf)
    .filter((attributes) => attributes.has('qname'))
    .map((attributes) => ({
      name: attributes.get('qname') as string,
      sequence: Number.parseInt(attributes.get('seq_no') ?? '0', 10),
      maxWalltimeSeconds: largestLimit(attributes.get('h_rt') ?? ''),
      parallelEnvironments: wordsOf(attributes.get('pe_list') ?? ''),
      accessLists: accessListsOf(attributes),
    }));
}

function accessListsOf(attributes: ReadonlyMap<string, string>): string | null {
  const lists = ['user_lists', 'xuser_lists', 'projects', 'xprojects'].map((name) => attributes.get(name) ?? 'NONE');
  return lists.every((list) => /^none$/i.test(list)) ? null : lists.join(' ');
}

/** Reads `qconf -sp <name>`. */
export function parseParallelEnvironment(text: string): ParallelEnvironment {
  const attributes = attributesOf(unfold(text));
  return {
    name: attributes.get('pe_name') ?? '',
    slots: Number(attributes.get('slots') ?? 0),
    allocationRule: attributes.get('allocation_rule') ?? '',
  };
}

/** The largest of a value and what single hosts have in its place: `24:00:00,[node1=48:00:00],[@big=INFINITY]`. */
function largestLimit(value: string): number | null {
  const limits = value.split(',').map((part) => parseSeconds(part.trim().replace(/^\[.*=|\]$/g, '')));
  return limits.some((limit) => limit === null) ? null : Math.max(...(limits as number[]));
}

/** Names in a list that single hosts may have others in place of: `make smp,[node1=mpi]`. */
function wordsOf(value: string): string[] {
  const words = value.split(/[\s,[\]]+/).map((word) => word.replace(/^.*=/, ''));
  return [...new Set(words.filter((word) => word !== '' && word !== 'NONE'))];
}

/**
 * Of the given queues, what each admits. Grid Engine has no default queue: only where there is one alone is it the
 * default.
 * @param refusals what the cell says against our jobs in queues that are not for us
 */
export function queueFacts(
  queues: readonly QueueConfiguration[],
  environments: readonly ParallelEnvironment[],
  hosts: Hosts,
  refusals: ReadonlyMap<string, string>,
): QueueFacts[] {
  const batchQueues = queues.filter(({ name }) => instancesOf(hosts, name).length > 0);
  return batchQueues
    .toSorted((a, b) => a.sequence - b.sequence)
    .map(({ name, maxWalltimeSeconds, parallelEnvironments }) => {
      const instances = instancesOf(hosts, name);
      const offered = environments.filter((environment) => parallelEnvironments.includes(environment.name));
      const open = instances.filter(takesJobs);
      return {
        name,
        isDefault: batchQueues.length === 1,
        maxProcessors: Math.max(1, largestOf(offered, instances)),
        usableProcessors: open.length === 0 ? 0 : Math.max(1, largestOf(offered, open)),
        maxWalltimeSeconds,
        ...barOf(instances, refusals.get(name) ?? null),
      };
    });
}

function largestOf(environments: readonly ParallelEnvironment[], instances: readonly QueueInstance[]): number {
  return Math.max(0, ...environments.map((environment) => largestJob(environment, instances)));
}

/**
 * The parallel environment for a job: one that all its processors fit into, on one host before several, and of those
 * with a fixed number for each host only one that divides. Null when there is none.
 * @param onHosts on how many hosts they have to be, evenly; null where that is left to the cell
 */
export function chooseEnvironment(
  processors: number,
  queue: string | null,
  queues: readonly QueueConfiguration[],
  environments: readonly ParallelEnvironment[],
  hosts: Hosts,
  onHosts: number | null = null,
): string | null {
  const candidates = queues.filter(({ name }) => queue === null || name === queue);
  const fitting = candidates.flatMap(({ name, parallelEnvironments }) =>
    environments.filter(
      (environment) =>
        parallelEnvironments.includes(environment.name) &&
        processors <= largestJob(environment, instancesOf(hosts, name)) &&
        processors % slotsPerHost(environment) === 0 &&
        (onHosts === null || isOn(onHosts, environment, processors)),
    ),
  );
  const [first] = fitting.toSorted((a, b) => rank(a) - rank(b));
  return first?.name ?? null;
}

const RULES_BY_PREFERENCE = ['$pe_slots', '$fill_up', '$round_robin'];

function rank({ allocationRule }: ParallelEnvironment): number {
  const place = RULES_BY_PREFERENCE.indexOf(allocationRule);
  return place < 0 ? RULES_BY_PREFERENCE.length : place;
}

function isOn(hosts: number, { allocationRule }: ParallelEnvironment, processors: number): boolean {
  if (allocationRule === '$pe_slots') return hosts === 1;
  return Number(allocationRule) === processors / hosts;
}

function slotsPerHost({ allocationRule }: ParallelEnvironment): number {
  return /^\d+$/.test(allocationRule) ? Math.max(1, Number(allocationRule)) : 1;
}

/** Slots of the largest job the environment can place on those queue instances. */
function largestJob({ slots, allocationRule }: ParallelEnvironment, instances: readonly QueueInstance[]): number {
  const onHosts = instances.map((instance) => instance.slots);
  if (allocationRule === '$pe_slots') return Math.min(slots, Math.max(0, ...onHosts));
  const perHost = /^\d+$/.test(allocationRule) ? Number(allocationRule) : null;
  const usable = perHost === null ? onHosts : onHosts.filter((onHost) => onHost >= perHost).map(() => perHost);
  return Math.min(slots, sum(usable));
}

function instancesOf(hosts: Hosts, queue: string): QueueInstance[] {
  return hosts.instances.filter((instance) => instance.queue === queue && runsBatchJobs(instance));
}
