import type { NodeShape } from './node-shape.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * Nodes that some queues share among themselves alone, taken together: jobs of other queues do not compete for them.
 */
export interface SitePart {
  /** Names of the queues whose jobs may run there; absent for every queue. */
  readonly queues?: readonly string[];
  readonly processors: number;
  readonly gpus: number;
  /** Null where the site does not say. */
  readonly memoryMebibytes: number | null;
}

/**
 * The parts of a site, as far as its nodes take jobs: queues whose nodes overlap are one. Empty where its nodes are not
 * told.
 */
export function partsOf(shapes: readonly NodeShape[]): readonly SitePart[] {
  return shapes.map(partOfShape).reduce<SitePart[]>((parts, one) => {
    const [touching, apart] = [parts.filter((part) => overlap(part, one)), parts.filter((part) => !overlap(part, one))];
    return [...apart, touching.reduce(together, one)];
  }, []);
}

/** The part in which jobs of a queue run; null where that cannot be told. */
export function partOfQueue(parts: readonly SitePart[], queue: string | null): SitePart | null {
  const [only] = parts.length === 1 ? parts : [];
  return only ?? parts.find(({ queues }) => queues === undefined || (queue !== null && queues.includes(queue))) ?? null;
}

/**
 * A snapshot with the parts of its site, where forecasts have use for them: where it has GPUs, or tells the memory of
 * its jobs. The very same snapshot elsewhere.
 */
export function withParts(snapshot: Snapshot, shapes: readonly NodeShape[]): Snapshot {
  const hasGpus = shapes.some(({ gpus }) => gpus.length > 0);
  const tellsMemory = () => [...snapshot.running, ...snapshot.waiting].some((job) => job.memoryMebibytes !== undefined);
  if (shapes.length === 0 || !(hasGpus || tellsMemory())) return snapshot;
  return { ...snapshot, parts: withWhatIsHeld(partsOf(shapes), snapshot) };
}

/** Nodes that take no more jobs count as far as jobs hold them still. O(running jobs times parts). */
function withWhatIsHeld(parts: readonly SitePart[], { running }: Snapshot): SitePart[] {
  const held = new Map(parts.map((part) => [part, { processors: 0, gpus: 0, memoryMebibytes: 0 }]));
  for (const { queue, processors, gpus = 0, memoryMebibytes = 0 } of running) {
    const part = partOfQueue(parts, queue);
    const sums = part && held.get(part);
    if (!sums) continue;
    sums.processors += processors;
    sums.gpus += gpus;
    sums.memoryMebibytes += memoryMebibytes;
  }
  return Array.from(held, ([{ memoryMebibytes, ...part }, sums]) => ({
    ...part,
    processors: Math.max(part.processors, sums.processors),
    gpus: Math.max(part.gpus, sums.gpus),
    memoryMebibytes: memoryMebibytes === null ? null : Math.max(memoryMebibytes, sums.memoryMebibytes),
  }));
}

function partOfShape({ count, inService = count, processors, memoryMebibytes, gpus, queues }: NodeShape): SitePart {
  return {
    ...(queues && { queues }),
    processors: inService * processors,
    gpus: inService * gpus.reduce((sum, kind) => sum + kind.count, 0),
    memoryMebibytes: memoryMebibytes === null ? null : inService * memoryMebibytes,
  };
}

function overlap(one: SitePart, other: SitePart): boolean {
  if (one.queues === undefined || other.queues === undefined) return true;
  return one.queues.some((queue) => other.queues?.includes(queue));
}

function together(one: SitePart, other: SitePart): SitePart {
  const everybody = one.queues === undefined || other.queues === undefined;
  const isMemoryKnown = one.memoryMebibytes !== null && other.memoryMebibytes !== null;
  return {
    ...(!everybody && { queues: [...new Set([...(one.queues ?? []), ...(other.queues ?? [])])] }),
    processors: one.processors + other.processors,
    gpus: one.gpus + other.gpus,
    memoryMebibytes: isMemoryKnown ? one.memoryMebibytes + other.memoryMebibytes : null,
  };
}
