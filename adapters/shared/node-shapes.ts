import type { NodeShape } from '../../src/domain/node-shape.ts';

/** One node: what jobs can ask of it, and whether it takes any now. */
export interface Node {
  readonly shape: Omit<NodeShape, 'count' | 'inService'>;
  readonly isInService: boolean;
}

/** Nodes one by one as shapes with their counts, in the order in which each shape comes first. */
export function groupShapes(nodes: readonly Node[]): NodeShape[] {
  const groups = new Map<string, NodeShape & { readonly inService: number }>();
  for (const { shape, isInService } of nodes) {
    const key = JSON.stringify(shape);
    const { count = 0, inService = 0 } = groups.get(key) ?? {};
    groups.set(key, { ...shape, count: count + 1, inService: inService + Number(isInService) });
  }
  return [...groups.values()];
}
