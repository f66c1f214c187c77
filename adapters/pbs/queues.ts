import type { QueueFacts } from '../../src/domain/site.ts';
import { type Account, refusalOf } from './access.ts';
import { type Attributes, isTrue, type Objects } from './attributes.ts';
import { integerOf, type PbsNode, parseDuration } from './parse.ts';

/** What is said of queues beside their own attributes. */
export interface QueueSurroundings {
  /** Of the server; empty where it says nothing. */
  readonly server: Attributes;
  readonly nodes: readonly PbsNode[];
  /** Whose jobs are sent there; null where nobody asked, for no list counts. */
  readonly account: Account | null;
}

/** Understands queues, those too that start no jobs of ours for now. */
export function queuesOf(objects: Objects, { server, nodes, account }: QueueSurroundings): QueueFacts[] {
  const perNode = Math.max(0, ...nodes.map(({ processors }) => processors));
  return [...objects].map(([name, queue]) => ({
    name,
    isDefault: name === server.get('default_queue'),
    maxProcessors: maxProcessorsOf(queue, perNode),
    maxWalltimeSeconds: parseDuration(queue.get('resources_max.walltime')),
    ...barOf(queue, server, account),
  }));
}

/** The smallest of its limits; one of nodes counts with the largest of them. */
function maxProcessorsOf(queue: Attributes, perNode: number): number | null {
  const limit = (name: string) => integerOf(queue.get(`resources_max.${name}`));
  const nodes = limit('nodect');
  const limits = [limit('ncpus'), limit('procs'), nodes !== null && perNode > 0 ? nodes * perNode : null];
  const known = limits.filter((one) => one !== null);
  return known.length > 0 ? Math.min(...known) : null;
}

function barOf(
  queue: Attributes,
  server: Attributes,
  account: Account | null,
): Pick<QueueFacts, 'bar' | 'unusableBecause'> {
  if (isTrue(queue, 'from_route_only')) {
    return { bar: 'FORBIDDEN', unusableBecause: 'it takes jobs from routing queues only' };
  }
  const refusal = account === null ? null : (refusalOf(queue, account) ?? refusalOf(server, account));
  if (refusal !== null) return { bar: 'FORBIDDEN', unusableBecause: refusal };
  const stopped = ['enabled', 'started'].find((name) => !isTrue(queue, name));
  if (stopped !== undefined) return { bar: 'DOWN', unusableBecause: `it is not ${stopped}` };
  if (server.has('scheduling') && !isTrue(server, 'scheduling')) {
    return { bar: 'DOWN', unusableBecause: 'scheduling is off at its server' };
  }
  return { bar: null, unusableBecause: null };
}
