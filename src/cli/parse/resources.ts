import { about, CliFailure, EXIT } from '../failure.ts';
import { LARGEST_WHOLE, parseWhole } from './number.ts';

/** Options that say what the work needs beside processors and walltime. Memory in MiB. */
export interface ResourceOptions {
  readonly nodes?: number;
  readonly tasks?: number;
  readonly tasksPerNode?: number;
  readonly processorsPerTask?: number;
  readonly memoryPerNode?: number;
  readonly memoryPerProcessor?: number;
  readonly gpus?: number;
  readonly gpuKind?: string;
  readonly constraint?: readonly string[];
  readonly exclusive?: boolean;
  /** `NAME` or `NAME:COUNT`. */
  readonly licence?: readonly string[];
  readonly tmpPerNode?: number;
}

/** The same as inputs take them; nothing where nothing is asked for. */
export function resourcesInput(options: ResourceOptions): { resources?: Record<string, unknown> } {
  const asked = Object.entries({
    nodes: options.nodes,
    tasks: options.tasks,
    tasksPerNode: options.tasksPerNode,
    processorsPerTask: options.processorsPerTask,
    memoryPerNodeMebibytes: options.memoryPerNode,
    memoryPerProcessorMebibytes: options.memoryPerProcessor,
    gpus: options.gpus,
    gpuKind: options.gpuKind,
    constraints: options.constraint,
    exclusive: options.exclusive,
    licences: options.licence?.map(parseLicence),
    tmpPerNodeMebibytes: options.tmpPerNode,
  }).filter(([, value]) => value !== undefined);
  return asked.length === 0 ? {} : { resources: Object.fromEntries(asked) };
}

/** Fields of a leg that say the same, by their names there, and how each is read. */
export const LEG_RESOURCES: Readonly<Record<string, (text: string) => ResourceOptions>> = {
  nodes: (text) => ({ nodes: parseWhole(text) }),
  tasks: (text) => ({ tasks: parseWhole(text) }),
  'tasks-per-node': (text) => ({ tasksPerNode: parseWhole(text) }),
  'processors-per-task': (text) => ({ processorsPerTask: parseWhole(text) }),
  'memory-per-node': (text) => ({ memoryPerNode: parseMebibytes(text) }),
  'memory-per-processor': (text) => ({ memoryPerProcessor: parseMebibytes(text) }),
  gpus: (text) => ({ gpus: parseWhole(text) }),
  'gpu-kind': (text) => ({ gpuKind: text }),
  exclusive: (text) => ({ exclusive: text === '' || text === 'true' }),
};

/**
 * Memory as people write it, `4G`, `512M`, `1.5T`, in whole MiB; a bare number is MiB. @throws CliFailure for anything
 * else
 */
export function parseMebibytes(text: string): number {
  const [, digits = '', unit = 'm'] = /^(\d+(?:\.\d+)?) ?([mgt])?(?:i?b)?$/i.exec(text.trim()) ?? [];
  const mebibytes = Math.ceil(Number(digits) * (MEBIBYTES[unit.toLowerCase()] ?? Number.NaN));
  if (digits !== '' && mebibytes >= 1 && mebibytes <= LARGEST_WHOLE) return mebibytes;
  throw new CliFailure(`"${text}" is no amount of memory`, EXIT.usage, 'write 512M, 4G or 1T, below 2048T');
}

function parseLicence(text: string): { name: string; count: number } {
  const at = text.lastIndexOf(':');
  if (at < 0) return { name: text, count: 1 };
  return { name: text.slice(0, at), count: about(`--licence "${text}"`, () => parseWhole(text.slice(at + 1))) };
}

const MEBIBYTES: Readonly<Record<string, number>> = { m: 1, g: 1024, t: 1024 * 1024 };
