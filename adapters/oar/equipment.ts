import { z } from 'zod';
import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { NodeShape } from '../../src/domain/node-shape.ts';
import { groupShapes, type Node } from '../shared/node-shapes.ts';
import type { ResourceNames } from './config.ts';
import { takesJobs } from './parse.ts';

/** One of OAR's resources with its properties, as `oarnodes -J` shows it. */
export type ResourceProperties = Readonly<Record<string, unknown>>;

/** Reads `oarnodes -J`: what jobs can run on, dead ones left out. @throws Error when it is no such document */
export function parseProperties(text: string): ResourceProperties[] {
  const document: unknown = text.trim() === '' ? {} : JSON.parse(text);
  const all = Object.values(z.record(z.string(), z.record(z.string(), z.unknown())).parse(document));
  return all.filter(({ type, state }) => type === 'default' && state !== 'Dead');
}

/** Properties that every OAR has, which say nothing of what a node is like. */
const OWN = new Set(['besteffort', 'deploy', 'desktop_computing', 'drain', 'finaud_decision', 'next_finaud_decision']);

/**
 * The nodes by their shapes: resources with one network address are a node.
 * @param wokenAt the moment, at a site that wakes sleeping nodes for jobs; null elsewhere
 */
export function shapesOf(
  resources: readonly ResourceProperties[],
  names: ResourceNames,
  wokenAt: EpochSeconds | null,
): NodeShape[] {
  const nodes = new Map<string, ResourceProperties[]>();
  for (const resource of resources) {
    const node = String(resource.network_address ?? '');
    nodes.set(node, [...(nodes.get(node) ?? []), resource]);
  }
  return groupShapes(
    Array.from(nodes.values(), (parts) => {
      return { shape: shapeOf(parts, names), isInService: parts.some((part) => takesJobs(part, wokenAt)) };
    }),
  );
}

function shapeOf(parts: readonly ResourceProperties[], names: ResourceNames): Node['shape'] {
  const [first = {}] = parts;
  const { resource, memoryProperty, memoryUnitMebibytes } = names;
  const memory = memoryProperty === undefined ? Number.NaN : Number(first[memoryProperty] ?? Number.NaN);
  const isFeature = (name: string) => first[name] === 'YES' && !OWN.has(name) && name !== 'suspended_jobs';
  return {
    processors: distinct(parts.map((part) => part[resource])).length,
    memoryMebibytes: memory > 0 ? memory * memoryUnitMebibytes : null,
    gpus: gpusOf(parts, names),
    features: Object.keys(first).filter(isFeature).sort(),
  };
}

function gpusOf(parts: readonly ResourceProperties[], { gpuResource, gpuKindProperty }: ResourceNames) {
  if (gpuResource === undefined) return [];
  const has = parts.filter((part) => isTold(part[gpuResource]));
  const kindOf = (part: ResourceProperties) => {
    const kind = gpuKindProperty === undefined ? null : part[gpuKindProperty];
    return isTold(kind) ? String(kind) : null;
  };
  const kinds = [...new Set(has.map(kindOf))];
  return kinds.map((kind) => {
    const count = distinct(has.filter((part) => kindOf(part) === kind).map((part) => part[gpuResource])).length;
    return { kind, count };
  });
}

/** Each value once, without those that are none. */
function distinct(values: readonly unknown[]): unknown[] {
  return [...new Set(values.filter(isTold))];
}

function isTold(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && value !== 0;
}
