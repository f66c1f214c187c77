import { Rejected } from '../../src/domain/failures.ts';
import type { JobSpec } from '../../src/domain/job.ts';
import type { RequestName } from '../../src/domain/resources.ts';
import { assertHonoured, assertIdentifier, shareEvenly } from '../shared/plain-requests.ts';
import type { ResourceNames } from './config.ts';

/** What jobs can ask of an OAR server. What a node has beside cores are properties, whose names its owner chose. */
export function honoursOf(names: ResourceNames): readonly RequestName[] {
  return [
    ...(['nodes'] as const),
    ...(names.memoryProperty === undefined ? [] : (['memoryPerNodeMebibytes', 'memoryPerProcessorMebibytes'] as const)),
    ...(names.gpuResource === undefined ? [] : (['gpus'] as const)),
    ...(names.gpuKindProperty === undefined ? [] : (['gpuKind'] as const)),
    ...(['constraints', 'exclusive', 'account', 'environment', 'workFolder', 'mail'] as const),
  ];
}

/** How many processors a node has: the most of any. */
export type NodeSize = number | null;

/**
 * The resources of a job as `oarsub -l` takes them: on one node when they fit there, on whole nodes when they fill
 * some, anywhere otherwise.
 * @throws Rejected naming the request that cannot be honoured; nothing has happened
 */
export function resourceRequest(spec: JobSpec, names: ResourceNames, largestNode: NodeSize): string {
  assertHonoured(spec, honoursOf(names), 'OAR');
  const { processors, resources = {} } = spec;
  const { gpus, exclusive } = resources;
  const nodes = resources.nodes ?? nodesFor(processors, largestNode);
  const path = (count: number, rest: string) => `/network_address=${count}${rest}`;
  if (gpus !== undefined) {
    const gpusPerNode = shareEvenly(gpus, nodes ?? 1, 'gpus', 'nodes');
    const each = shareEvenly(processors, gpus, 'gpus', 'of them, which come with processors of their own');
    return path(nodes ?? 1, `/${names.gpuResource}=${gpusPerNode}/${names.resource}=${each}`);
  }
  if (exclusive) return path(nodes ?? Math.ceil(processors / (largestNode ?? processors)), '');
  if (nodes === null) return `/${names.resource}=${processors}`;
  return path(nodes, `/${names.resource}=${shareEvenly(processors, nodes, 'nodes', 'nodes')}`);
}

function nodesFor(processors: number, largestNode: NodeSize): number | null {
  if (largestNode === null || largestNode < 1) return null;
  if (processors <= largestNode) return 1;
  return processors % largestNode === 0 ? processors / largestNode : null;
}

/**
 * The words of `oarsub` for what else a job asks for.
 * @throws Rejected naming the request that cannot be honoured; nothing has happened
 */
export function requestOptions(spec: JobSpec, names: ResourceNames): string[] {
  const conditions = [...featuresOf(spec), ...memoryOf(spec, names), ...kindOf(spec, names)];
  const tags = (spec.mail?.events ?? []).map((event) => MAIL_TAGS[event]);
  const { account } = spec.terms ?? {};
  return [
    ...(conditions.length === 0 ? [] : ['-p', conditions.join(' AND ')]),
    ...(account === undefined ? [] : [`--project=${account}`]),
    ...(spec.mail === undefined || tags.length === 0 ? [] : [`--notify=[${tags.join(',')}]mail:${spec.mail.address}`]),
  ];
}

const MAIL_TAGS = { BEGIN: 'RUNNING', END: 'END', FAIL: 'ERROR' } as const;

/** A feature is a property that is set to YES. Names of properties alone become part of the condition. */
function featuresOf({ resources = {} }: JobSpec): string[] {
  return (resources.constraints ?? []).map((name) => {
    assertIdentifier(name, 'constraints', 'OAR');
    return `${name} = 'YES'`;
  });
}

function memoryOf({ processors, resources = {} }: JobSpec, names: ResourceNames): string[] {
  const { memoryPerNodeMebibytes: perNode, memoryPerProcessorMebibytes: perProcessor, nodes = 1 } = resources;
  const wanted = perNode ?? (perProcessor === undefined ? undefined : perProcessor * Math.ceil(processors / nodes));
  if (wanted === undefined) return [];
  return [`${names.memoryProperty} >= ${Math.ceil(wanted / names.memoryUnitMebibytes)}`];
}

function kindOf({ resources = {} }: JobSpec, { gpuKindProperty }: ResourceNames): string[] {
  const { gpuKind, gpus } = resources;
  if (gpuKind === undefined) return [];
  if (gpus === undefined) throw new Rejected('gpuKind is given without gpus; say how many');
  return [`${gpuKindProperty} = '${gpuKind}'`];
}
