import type { JobSpec } from '../../src/domain/job.ts';
import type { RequestName } from '../../src/domain/resources.ts';
import { assertIdentifier } from '../shared/plain-requests.ts';
import type { Dialect } from './config.ts';
import { torqueMemory } from './processor-request.ts';

/** What jobs can ask of a PBS server of either kind. Torque counts processors on nodes, not tasks. */
const BOTH: readonly RequestName[] = [
  'nodes',
  'memoryPerNodeMebibytes',
  'memoryPerProcessorMebibytes',
  'gpus',
  'constraints',
  'exclusive',
  'licences',
  'account',
  'environment',
  'workFolder',
  'mail',
];

export function honoursOf(dialect: Dialect): readonly RequestName[] {
  return dialect === 'torque' ? BOTH : ['tasks', 'tasksPerNode', 'processorsPerTask', ...BOTH];
}

const MAIL_LETTERS = { BEGIN: 'b', END: 'e', FAIL: 'a' } as const;

/**
 * The words of `qsub` for what a job asks for beside processors, walltime and queue.
 * @throws Rejected naming the request that cannot be honoured; nothing has happened
 */
export function requestOptions(spec: JobSpec, dialect: Dialect): string[] {
  const { resources = {}, terms = {}, mail } = spec;
  for (const { name } of resources.licences ?? []) assertIdentifier(name, 'licences', 'PBS');
  const letters = mail?.events.map((event) => MAIL_LETTERS[event]).join('') || 'n';
  return [
    ...(dialect === 'torque' ? torqueMemory(spec) : []),
    ...placeOf(spec, dialect),
    ...(resources.licences ?? []).flatMap(({ name, count }) => ['-l', `${name}=${count}`]),
    ...(terms.account === undefined ? [] : ['-A', terms.account]),
    ...(mail === undefined ? [] : ['-m', letters, '-M', mail.address]),
  ];
}

/** On how many nodes at once: each chunk on one of its own where nodes are asked for, and alone there where that is. */
function placeOf({ resources = {} }: JobSpec, dialect: Dialect): string[] {
  const { nodes, tasksPerNode, exclusive } = resources;
  if (dialect === 'torque') return exclusive ? ['-n'] : [];
  const isSpread = (nodes ?? 0) > 1 || tasksPerNode !== undefined;
  const words = [...(isSpread ? ['scatter'] : []), ...(exclusive ? ['excl'] : [])];
  return words.length === 0 ? [] : ['-l', `place=${words.join(':')}`];
}
