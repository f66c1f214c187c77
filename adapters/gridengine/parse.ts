import type { EpochSeconds } from '../../src/domain/clock.ts';
import { parseSeconds } from './duration.ts';
import { taskNumbers } from './tasks.ts';
import { type Element, elementOf, listOf, momentOf, readXml, textOf, textsOf } from './xml.ts';

/** One job, or one task of an array, as `qstat -r -xml` lists it. */
export interface ListedJob {
  /** `<job>`, or `<job>.<task>` for a task of an array. */
  readonly nativeId: string;
  readonly name: string;
  readonly user: string;
  readonly phase: 'WAITING' | 'RUNNING';
  /** The queue it runs in or the one it asked for. */
  readonly queue: string | null;
  readonly processors: number;
  readonly requestedWalltimeSeconds: number | null;
  /** Null where the listing does not tell: for running jobs, and for those put back into the queue. */
  readonly submitAt: EpochSeconds | null;
  readonly startAt: EpochSeconds | null;
  /** Its letters, sge_status(5): `qw`, `hqw`, `Eqw`, `r`, ... */
  readonly state: string;
  /** From 0 to 1, the larger the sooner. */
  readonly priority: number | null;
}

/** A queue on one host, as `qhost -q -xml` lists it. */
export interface QueueInstance {
  readonly queue: string;
  readonly host: string;
  /** `B`atch, `I`nteractive, `P`arallel. */
  readonly types: string;
  readonly slots: number;
  readonly usedSlots: number;
  /** Held back by advance reservations. */
  readonly reservedSlots: number;
  /** Letters; empty when nothing is the matter. */
  readonly state: string;
}

/** The hosts of a cell. */
export interface Hosts {
  readonly instances: readonly QueueInstance[];
  /** Of hosts that limit the slots of all their queues together: how many are left. */
  readonly slotsLeft: ReadonlyMap<string, number>;
}

/** What `qstat -j` tells of a job. */
export interface JobDetail {
  readonly name: string;
  readonly submitAt: EpochSeconds;
  /**
   * Why the scheduler leaves it waiting, in its words; null where it does not say, as most cells have it
   * (`schedd_job_info`).
   */
  readonly schedulerSays: string | null;
}

/**
 * Reads `qstat -u '*' -r -xml`, whose times must be in UTC. Jobs that are neither waiting nor running are left out.
 * @throws Error when it is no such document
 */
export function parseListing(xml: string): ListedJob[] {
  const document = elementOf(readXml(xml, 'job_info'), 'job_info');
  const listed = [document.queue_info, document.job_info].flatMap((part) => listOf(part, 'job_list'));
  return listed.flatMap(jobsOf);
}

function jobsOf(job: Element): ListedJob[] {
  const phase = phaseOf(textOf(job, 'state'));
  if (phase === null) return [];
  const isPutBack = textOf(job, 'state').includes('R');
  const listed = {
    name: textOf(job, 'full_job_name') || textOf(job, 'JB_name'),
    user: textOf(job, 'JB_owner'),
    phase,
    queue: queueOf(job),
    processors: Number(textOf(job, 'slots')),
    requestedWalltimeSeconds: walltimeOf(job),
    submitAt: isPutBack ? null : momentOf(textOf(job, 'JB_submission_time')),
    startAt: phase === 'RUNNING' ? momentOf(textOf(job, 'JAT_start_time')) : null,
    state: textOf(job, 'state'),
    priority: numberOf(textOf(job, 'JAT_prio')),
  };
  const number = textOf(job, 'JB_job_number');
  const tasks = textOf(job, 'tasks');
  if (tasks === '') return [{ nativeId: number, ...listed }];
  return taskNumbers(tasks).map((task) => ({ nativeId: `${number}.${task}`, ...listed }));
}

/**
 * Letters of a job's state, sge_status(5): with `q` or `w` it waits, also when held (`h`), in error (`E`) or put back
 * (`R`); with any of `rtsSTN` it holds slots, also when suspended or being deleted (`d`). A finished one (`z`) does
 * neither.
 */
function phaseOf(state: string): ListedJob['phase'] | null {
  if (/[qw]/.test(state)) return 'WAITING';
  return /[rtsSTN]/.test(state) ? 'RUNNING' : null;
}

function queueOf(job: Element): string | null {
  const [instance = ''] = textOf(job, 'queue_name').split('@');
  if (instance !== '') return instance;
  const wanted = textsOf(job, 'hard_req_queue');
  return wanted.length === 1 ? ((wanted[0] as string).split('@')[0] ?? null) : null;
}

function walltimeOf(job: Element): number | null {
  const limit = listOf(job, 'hard_request').find((request) => request['@name'] === 'h_rt');
  return limit === undefined ? null : parseSeconds(textOf(limit, '#text'));
}

/** Reads `qhost -q -F slots -xml`. @throws Error when it is no such document */
export function parseHosts(xml: string): Hosts {
  const hosts = listOf(elementOf(readXml(xml, 'qhost'), 'qhost'), 'host');
  const slotsLeft = new Map<string, number>();
  for (const host of hosts) {
    const limit = listOf(host, 'resourcevalue').find((value) => value['@name'] === 'slots');
    if (limit) slotsLeft.set(textOf(host, '@name'), Number(textOf(limit, '#text')));
  }
  return { instances: hosts.flatMap(instancesOf), slotsLeft };
}

function instancesOf(host: Element): QueueInstance[] {
  return listOf(host, 'queue').map((queue) => {
    const values = new Map(
      listOf(queue, 'queuevalue').map((value) => [textOf(value, '@name'), textOf(value, '#text')]),
    );
    return {
      queue: textOf(queue, '@name'),
      host: textOf(host, '@name'),
      types: values.get('qtype_string') ?? '',
      slots: Number(values.get('slots') ?? 0),
      usedSlots: Number(values.get('slots_used') ?? 0),
      reservedSlots: Number(values.get('slots_resv') ?? 0),
      state: values.get('state_string') ?? '',
    };
  });
}

/**
 * Reads `qstat -j <ids> -xml`, which answers with status 0 also when it knows none of the jobs.
 * @throws Error when it is no such document
 */
export function parseDetails(xml: string): ReadonlyMap<string, JobDetail> {
  const document = readXml(xml, 'detailed_job_info', 'unknown_jobs');
  if ('unknown_jobs' in document) return new Map();
  const { djob_info: jobs, messages } = elementOf(document, 'detailed_job_info');
  const words = schedulerWords(messages);
  return new Map(
    listOf(jobs, 'element').map((job) => {
      const number = textOf(job, 'JB_job_number');
      const submitAt = secondsOf(textOf(job, 'JB_submission_time'));
      const said = [...(words.get(number) ?? [])].join('; ');
      return [number, { name: textOf(job, 'JB_job_name'), submitAt, schedulerSays: said === '' ? null : said }];
    }),
  );
}

/**
 * What the scheduler says of single jobs, each thing once, by their numbers. What it says of all of them is left out:
 * it is true of any job. So is what it says of queues that a job did not ask for, and every job of ours asks for one.
 */
function schedulerWords(messages: unknown): ReadonlyMap<string, ReadonlySet<string>> {
  const words = new Map<string, Set<string>>();
  for (const part of listOf(messages, 'element')) {
    for (const message of listOf(part.SME_message_list, 'element')) {
      const said = textOf(message, 'MES_message').trim();
      if (OF_OTHER_QUEUES.test(said)) continue;
      for (const job of listOf(message.MES_job_number_list, 'ulong_sublist')) {
        const number = textOf(job, 'ULNG_value');
        if (said !== '') words.set(number, (words.get(number) ?? new Set()).add(said));
      }
    }
  }
  return words;
}

const OF_OTHER_QUEUES = /not contained in its hard queue list/;

function numberOf(text: string): number | null {
  return text === '' || !Number.isFinite(Number(text)) ? null : Number(text);
}

/** Some descendants of Grid Engine give milliseconds. */
function secondsOf(epoch: string): EpochSeconds {
  const value = Number(epoch);
  return value > 1e11 ? value / 1000 : value;
}
