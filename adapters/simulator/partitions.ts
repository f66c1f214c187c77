import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { NodeShape } from '../../src/domain/node-shape.ts';
import type { QueueFacts } from '../../src/domain/site.ts';
import type { Workload } from '../../src/sim/workload.ts';
import { backgroundOf } from './background.ts';
import { ChangeLog } from './change-log.ts';
import type { ResolvedSiteConfig, SimulatedNode, SimulatedNodes } from './config.ts';
import { SimulatedPartition } from './partition.ts';
import { replayedSite } from './replayed-site.ts';

const DEFAULT_MAX_WALLTIME_SECONDS = 2 * 86_400;
const MOST_PROCESSORS_PER_NODE = 16;
const MEBIBYTES_PER_PROCESSOR = 4096;

interface Beginning {
  /** Of the nodes that queues share. */
  readonly processors: number;
  readonly originAt: EpochSeconds;
  readonly trace: Workload | null;
}

/**
 * The queues of a site with their limits. One that is configured without any, or with such alone as have nodes of their
 * own, has `batch`; a log's jobs are not measured by our limits.
 */
export function queuesOf({ queues }: ResolvedSiteConfig, replaysTrace: boolean): QueueFacts[] {
  const known = queues.map(({ nodes, ...limits }): QueueFacts => {
    return nodes ? { ...limits, processors: nodes.count * nodes.processors } : limits;
  });
  if (queues.some(({ nodes }) => !nodes)) return known;
  const maxWalltimeSeconds = replaysTrace ? null : DEFAULT_MAX_WALLTIME_SECONDS;
  const isDefault = !queues.some((queue) => queue.isDefault);
  return [{ name: 'batch', isDefault, maxProcessors: null, maxWalltimeSeconds }, ...known];
}

/** The machines that a site is made of, by the names of their queues; the nodes that queues share come first. */
export function partitionsOf(
  config: ResolvedSiteConfig,
  queues: readonly QueueFacts[],
  { processors, originAt, trace }: Beginning,
): Map<string, SimulatedPartition> {
  const own = new Map(config.queues.flatMap(({ name, nodes }) => (nodes ? [[name, nodes] as const] : [])));
  const shared = queues.filter(({ name }) => !own.has(name));
  const node = config.node ?? usualNode(processors);
  const shape = shapeOf(node, Math.floor(processors / node.processors), shared);
  const make = (prefix: string, of: NodeShape, settings: ResolvedSiteConfig, size: number, log: Workload | null) => {
    const changes = new ChangeLog();
    const noteChange = (job: number, at: EpochSeconds) => changes.note(job, at);
    const its = queues.filter(({ name }) => of.queues?.includes(name));
    const jobs = backgroundOf(settings, size, its, originAt, log);
    const site = replayedSite(jobs, settings, { processors: size, originAt, noteChange });
    return new SimulatedPartition(prefix, of, site, changes);
  };
  const first = make('', shape, config, processors, trace);
  const others = [...own].map(([name, nodes], index) => {
    const its = queues.filter((queue) => queue.name === name);
    const size = nodes.count * nodes.processors;
    return [
      name,
      make(`${name}.`, shapeOf(nodes, nodes.count, its), settingsOf(config, nodes, index), size, null),
    ] as const;
  });
  return new Map([...shared.map(({ name }) => [name, first] as const), ...others]);
}

/** A site of the nodes of one queue alone: with people of its own, and the outages that hit everybody. */
function settingsOf(config: ResolvedSiteConfig, { load }: SimulatedNodes, index: number): ResolvedSiteConfig {
  const seed = 'generated' in config.workload ? config.workload.generated.seed : 0;
  const workload = { generated: { seed: seed + 1 + index, load } };
  return { ...config, workload, outages: config.outages.filter(({ kind }) => kind !== 'resize') };
}

function shapeOf(node: SimulatedNode, count: number, queues: readonly QueueFacts[]): NodeShape {
  const { processors, memoryMebibytes, gpus = [], features = [], tmpMebibytes } = node;
  const tmp = tmpMebibytes === undefined ? {} : { tmpMebibytes };
  return { count, processors, memoryMebibytes, gpus, features, ...tmp, queues: queues.map(({ name }) => name) };
}

/** As many processors as make nodes that are alike, 16 at most. */
function usualNode(all: number): SimulatedNode {
  let processors = Math.min(MOST_PROCESSORS_PER_NODE, all);
  while (all % processors !== 0) processors--;
  return { processors, memoryMebibytes: processors * MEBIBYTES_PER_PROCESSOR };
}
