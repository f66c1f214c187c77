import type { NodeShape } from '../../src/domain/node-shape.ts';
import { parseBytes } from '../shared/amounts.ts';
import { type Attributes, isTrue } from './attributes.ts';

const AVAILABLE = 'resources_available.';

/** What a node has beside processors: of OpenPBS its resources, of Torque its properties and what it reports. */
export function equipmentOf(node: Attributes): Omit<NodeShape, 'count' | 'inService' | 'processors'> {
  const reported = new Map((node.get('status') ?? '').split(',').map((pair) => pair.split('=', 2) as [string, string]));
  const memory = parseBytes(node.get(`${AVAILABLE}mem`) ?? reported.get('physmem'));
  const gpus = Number(node.get(`${AVAILABLE}ngpus`) ?? node.get('gpus') ?? 0);
  const resources = [...node.keys()].filter((name) => name.startsWith(AVAILABLE) && isTrue(node, name));
  const properties = (node.get('properties') ?? '').split(',').map((name) => name.trim());
  return {
    memoryMebibytes: memory === null ? null : Math.floor(memory / 2 ** 20),
    gpus: gpus > 0 ? [{ kind: null, count: gpus }] : [],
    features: [...resources.map((name) => name.slice(AVAILABLE.length)), ...properties.filter(Boolean)].sort(),
  };
}
