import { Rejected } from '../../src/domain/failures.ts';
import type { JobSpec } from '../../src/domain/job.ts';
import { REQUEST_NAMES, type RequestName } from '../../src/domain/resources.ts';
import type { ResolvedSlurmConfig } from './config.ts';
import { shapeOf } from './job-shape.ts';
import type { PartitionLayout } from './layout.ts';

/** One thing that is asked of Slurm for a job, as sbatch takes it and as slurmrestd takes it. */
export interface SlurmAsk {
  /** Without its dashes. Its value goes behind the `=` of one word, so that it is never an option itself. */
  readonly option: string;
  /** Null for an option without a value. */
  readonly value: string | null;
  /** Of the job in slurmrestd's body, v0.0.36 to v0.0.38. */
  readonly field: string;
  readonly json: string | number | readonly number[];
}

/** All that a job can ask for; every way to Slurm has a word for it. */
export const SLURM_HONOURS: readonly RequestName[] = REQUEST_NAMES;

/** What a site's configuration says of its jobs. */
export type JobDefaults = Pick<ResolvedSlurmConfig, 'workFolder' | 'outputFile' | 'account'>;

/**
 * What is asked of Slurm for a job under a name of its own.
 * @param where its partition as far as that is known
 * @throws Rejected naming the field whose text Slurm would take for more than a name; nothing has happened
 */
export function asksFor(
  spec: JobSpec,
  name: string,
  defaults: JobDefaults,
  where: PartitionLayout | null,
): readonly SlurmAsk[] {
  assertPlain(spec);
  return [
    word('job-name', 'name', name),
    word('comment', 'comment', commentOf(name, spec)),
    amount('time', 'time_limit', limitMinutes(spec.walltimeSeconds)),
    ...given(spec.queue, (queue) => [word('partition', 'partition', queue)]),
    ...placeOf(defaults),
    ...shapeAsks(spec, where),
    ...memoryAsks(spec, where),
    ...equipmentAsks(spec),
    ...termsAsks(spec, defaults),
  ];
}

/** Where Slurm itself writes of a job; to a folder that its caller names the job goes by itself. */
function placeOf({ workFolder, outputFile }: JobDefaults): SlurmAsk[] {
  return [
    ...given(workFolder, (folder) => [word('chdir', 'current_working_directory', folder)]),
    ...given(outputFile, (file) => [word('output', 'standard_output', file)]),
  ];
}

function shapeAsks(spec: JobSpec, where: PartitionLayout | null): SlurmAsk[] {
  const { nodes, tasks, tasksPerNode, processorsPerTask } = shapeOf(spec, where);
  return [
    ...given(nodes, ({ least, most }) => {
      const value = least === most ? `${most}` : `${least}-${most}`;
      return [{ option: 'nodes', value, field: 'nodes', json: [least, most] }];
    }),
    amount('ntasks', 'tasks', tasks),
    ...given(tasksPerNode, (count) => [amount('ntasks-per-node', 'tasks_per_node', count)]),
    ...(processorsPerTask === 1 && spec.resources?.processorsPerTask === undefined
      ? []
      : [amount('cpus-per-task', 'cpus_per_task', processorsPerTask)]),
  ];
}

function memoryAsks({ resources = {} }: JobSpec, where: PartitionLayout | null): SlurmAsk[] {
  const { memoryPerNodeMebibytes: perNode, memoryPerProcessorMebibytes } = resources;
  if (perNode !== undefined) return [mebibytes('mem', 'memory_per_node', perNode)];
  const perProcessor = memoryPerProcessorMebibytes ?? (resources.exclusive ? null : unaskedMemory(where));
  return given(perProcessor, (size) => [mebibytes('mem-per-cpu', 'memory_per_cpu', size)]);
}

/**
 * Memory for each processor of a job that says nothing of it, where it would else get, and be billed, all of its
 * nodes: the share of a processor of the poorest node, less a tenth that nodes may keep for themselves (MemSpecLimit,
 * which is told to nobody). Null where Slurm has a default of its own, does not count memory, or gives nodes away whole
 * anyway.
 */
export function unaskedMemory(where: PartitionLayout | null): number | null {
  if (!where || where.defaultMemory !== null || where.isMemoryCounted === false || where.isWholeNodes) return null;
  const shares = where.nodes.map(({ equipment, processorsPerNode }) => {
    return equipment && processorsPerNode > 0 ? (equipment.memoryMebibytes * GIVEN_PART) / processorsPerNode : 0;
  });
  const share = Math.floor(Math.min(...shares, where.maxMemoryPerProcessorMebibytes ?? Number.POSITIVE_INFINITY));
  return share >= 1 ? share : null;
}

const GIVEN_PART = 0.9;

function equipmentAsks({ resources = {} }: JobSpec): SlurmAsk[] {
  const { gpus, gpuKind, constraints = [], licences = [], tmpPerNodeMebibytes } = resources;
  const counted = licences.map(({ name, count }) => `${name}:${count}`);
  return [
    ...given(gpus, (count) => [word('gpus', 'gpus', gpuKind === undefined ? `${count}` : `${gpuKind}:${count}`)]),
    ...(constraints.length > 0 ? [word('constraint', 'constraints', constraints.join('&'))] : []),
    ...(resources.exclusive ? [{ option: 'exclusive', value: null, field: 'exclusive', json: 'exclusive' }] : []),
    ...(counted.length > 0 ? [word('licenses', 'licenses', counted.join(','))] : []),
    ...given(tmpPerNodeMebibytes, (size) => [mebibytes('tmp', 'temporary_disk_per_node', size)]),
  ];
}

function termsAsks({ terms = {}, mail }: JobSpec, defaults: JobDefaults): SlurmAsk[] {
  return [
    ...given(terms.account ?? defaults.account, (account) => [word('account', 'account', account)]),
    ...given(terms.qos, (qos) => [word('qos', 'qos', qos)]),
    ...given(terms.siteReservation, (reservation) => [word('reservation', 'reservation', reservation)]),
    ...given(mail, ({ address, events }) => [
      word('mail-type', 'mail_type', events.length === 0 ? 'NONE' : events.join(',')),
      word('mail-user', 'mail_user', address),
    ]),
  ];
}

/** What Slurm reads more into than a name: operators of constraints, lists, counts, an option of its mail program. */
function assertPlain({ resources = {}, terms = {}, workFolder, mail }: JobSpec): void {
  const names: [field: string, text: string | undefined][] = [
    ['resources.gpuKind', resources.gpuKind],
    ...(resources.constraints ?? []).map((text, at): [string, string] => [`resources.constraints.${at}`, text]),
    ...(resources.licences ?? []).map(({ name }, at): [string, string] => [`resources.licences.${at}.name`, name]),
    ['terms.account', terms.account],
    ['terms.qos', terms.qos],
    ['terms.siteReservation', terms.siteReservation],
  ];
  for (const [field, text] of names) {
    if (text === undefined || PLAIN_NAME.test(text)) continue;
    throw new Rejected(`${field} is ${quote(text)}; at Slurm a name is of letters, digits and ._@+- alone`);
  }
  if (resources.gpuKind !== undefined && resources.gpus === undefined) {
    throw new Rejected('resources.gpuKind is given without gpus; say how many');
  }
  if (workFolder !== undefined && !workFolder.startsWith('/')) {
    throw new Rejected(`workFolder is ${quote(workFolder)}; give an absolute path`);
  }
  if (mail && !MAIL_ADDRESS.test(mail.address)) {
    throw new Rejected(`mail.address is ${quote(mail.address)}, which is not an address that Slurm can write to`);
  }
}

const PLAIN_NAME = /^[\p{L}\p{N}_][\p{L}\p{N}._@+-]*$/u;
const MAIL_ADDRESS = /^[A-Za-z0-9_+][\w.+-]*(?:@[A-Za-z0-9][A-Za-z0-9.-]*)?$/;
const LONGEST_QUOTE = 80;

function quote(text: string): string {
  return JSON.stringify(text.slice(0, LONGEST_QUOTE));
}

/** What a job's comment says: its name with the key in it, and what its owner calls it. */
export function commentOf(name: string, { name: title, tenant }: Pick<JobSpec, 'name' | 'tenant'>): string {
  if (tenant !== undefined) return `${name} tenant=${tenant.replaceAll(/[^\w.@+-]/g, '_')} ${title}`;
  return `${name} ${title}`;
}

/** Slurm's limits are whole minutes. */
export function limitMinutes(walltimeSeconds: number): number {
  return Math.max(1, Math.ceil(walltimeSeconds / 60));
}

function word(option: string, field: string, value: string): SlurmAsk {
  return { option, value, field, json: value };
}

function amount(option: string, field: string, value: number): SlurmAsk {
  return { option, value: String(value), field, json: value };
}

function mebibytes(option: string, field: string, value: number): SlurmAsk {
  return { option, value: `${value}M`, field, json: value };
}

function given<Value>(value: Value | null | undefined, asks: (value: Value) => SlurmAsk[]): SlurmAsk[] {
  return value === null || value === undefined ? [] : asks(value);
}
