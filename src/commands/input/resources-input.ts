import { fieldName } from '../../domain/field-name.ts';
import type { JobResources, LicenceRequest } from '../../domain/resources.ts';
import type { Limits } from '../carry-out/context.ts';
import type { FaultList } from './faults.ts';

/**
 * Adds what is wrong with what is asked for beside processors, whatever the sites are like.
 * @param path where it sits in the caller's input
 */
export function checkResources(
  faults: FaultList,
  resources: JobResources,
  processors: number,
  path: string,
  limits: Limits,
): void {
  checkNumbers(faults, resources, path, limits);
  checkLayout(faults, resources, processors, path);
  checkMemory(faults, resources, path);
  const { gpus, gpuKind, constraints = [], licences = [] } = resources;
  if (gpuKind !== undefined) {
    const needsCount = `gpuKind ${quoted(gpuKind)} goes with gpus; say how many, or leave it out`;
    faults.require(gpus !== undefined, `${path}.gpuKind`, needsCount);
    checkWord(faults, gpuKind, `${path}.gpuKind`);
  }
  checkConstraints(faults, constraints, `${path}.constraints`);
  checkLicences(faults, licences, `${path}.licences`);
}

/** Adds a fault for each request that fixes the size of a job, which is to be chosen. */
export function checkSizeless(faults: FaultList, resources: JobResources, path: string): void {
  for (const name of ['nodes', 'tasks', 'tasksPerNode', 'processorsPerTask'] as const) {
    const message = `${name} and sizes do not go together: ${name} fixes the size that is to be chosen; leave one out`;
    faults.require(resources[name] === undefined, `${path}.${name}`, message);
  }
}

function checkNumbers(faults: FaultList, resources: JobResources, path: string, { maxProcessors }: Limits): void {
  const most = {
    nodes: maxProcessors,
    tasks: maxProcessors,
    tasksPerNode: maxProcessors,
    processorsPerTask: maxProcessors,
    gpus: MOST_GPUS,
    memoryPerNodeMebibytes: MOST_MEBIBYTES,
    memoryPerProcessorMebibytes: MOST_MEBIBYTES,
    tmpPerNodeMebibytes: MOST_MEBIBYTES,
  };
  for (const name of Object.keys(most) as (keyof typeof most)[]) {
    const value = resources[name];
    const valid = value === undefined || (Number.isInteger(value) && value >= 1 && value <= most[name]);
    faults.require(valid, `${path}.${name}`, `${name} must be a whole number from 1 to ${most[name]}, got ${value}`);
  }
}

/** Tasks, nodes and processors have to come to the same job. */
function checkLayout(faults: FaultList, resources: JobResources, processors: number, path: string): void {
  const { nodes, tasks, tasksPerNode, processorsPerTask } = resources;
  const require = (isMet: boolean, name: string, message: string) => faults.require(isMet, `${path}.${name}`, message);
  if (nodes !== undefined) {
    const message = `${nodes} nodes asked for, and ${processors} processors to be on them; ask for fewer nodes or more processors`;
    require(nodes <= processors, 'nodes', message);
  }
  const count = tasks ?? (nodes !== undefined && tasksPerNode !== undefined ? nodes * tasksPerNode : undefined);
  if (processorsPerTask !== undefined) {
    const all = (count ?? 1) * processorsPerTask;
    const message = `${count ?? 1} tasks with ${processorsPerTask} processors each take ${all}, and processors is ${processors}; make them equal`;
    require(all === processors, 'processorsPerTask', message);
  } else if (count !== undefined) {
    const message = `${processors} processors cannot be shared evenly among ${count} tasks; make processors a multiple of them`;
    require(processors % count === 0, tasks === undefined ? 'tasksPerNode' : 'tasks', message);
  }
  if (tasks === undefined) return;
  if (nodes !== undefined) {
    require(nodes <=
      tasks, 'nodes', `${nodes} nodes asked for, and ${tasks} tasks to be on them; ask for fewer nodes or more tasks`);
  }
  if (nodes !== undefined && tasksPerNode !== undefined) {
    const message = `${tasks} tasks do not fit on ${nodes} nodes with ${tasksPerNode} each; leave one of them out`;
    require(tasks <= nodes * tasksPerNode, 'tasksPerNode', message);
  }
}

function checkMemory(faults: FaultList, resources: JobResources, path: string): void {
  const { memoryPerNodeMebibytes: perNode, memoryPerProcessorMebibytes: perProcessor } = resources;
  const message = `memory is asked for per node (${perNode}) and per processor (${perProcessor}); leave one of them out`;
  faults.require(perNode === undefined || perProcessor === undefined, `${path}.memoryPerNodeMebibytes`, message);
}

function checkConstraints(faults: FaultList, constraints: readonly string[], field: string): void {
  checkCount(faults, constraints, field);
  for (const [index, constraint] of constraints.entries()) {
    checkWord(faults, constraint, `${field}[${index}]`);
    const isFirst = constraints.indexOf(constraint) === index;
    faults.require(isFirst, `${field}[${index}]`, `constraints names ${quoted(constraint)} twice; name it once`);
  }
}

function checkLicences(faults: FaultList, licences: readonly LicenceRequest[], field: string): void {
  checkCount(faults, licences, field);
  const names = licences.map(({ name }) => name);
  for (const [index, { name, count }] of licences.entries()) {
    checkWord(faults, name, `${field}[${index}].name`);
    const isFirst = names.indexOf(name) === index;
    faults.require(isFirst, `${field}[${index}].name`, `licences names ${quoted(name)} twice; add up their counts`);
    const valid = Number.isInteger(count) && count >= 1 && count <= MOST_LICENCES;
    const message = `count must be a whole number from 1 to ${MOST_LICENCES}, got ${count}`;
    faults.require(valid, `${field}[${index}].count`, message);
  }
}

function checkCount(faults: FaultList, list: readonly unknown[], field: string): void {
  const message = `${fieldName(field)} has ${list.length} entries, at most ${MOST_ENTRIES} are accepted; name fewer`;
  faults.require(list.length <= MOST_ENTRIES, field, message);
}

/** A name that a site gives: no operator of any batch system is in it. */
function checkWord(faults: FaultList, word: string, field: string): void {
  const rule = 'begins with a letter or digit and has at most 64 letters, digits and ._:@+-';
  faults.require(WORD.test(word), field, `${fieldName(field)} ${rule}; got ${quoted(word)}`);
}

function quoted(word: string): string {
  return JSON.stringify(word.slice(0, LONGEST_QUOTE));
}

const WORD = /^[A-Za-z0-9][A-Za-z0-9._:@+-]{0,63}$/;
const MOST_ENTRIES = 16;
const MOST_GPUS = 1_000_000;
const MOST_LICENCES = 1_000_000;
/** A pebibyte. */
const MOST_MEBIBYTES = 2 ** 30;
const LONGEST_QUOTE = 80;
