import type { NodeShape } from '../../src/domain/node-shape.ts';

/** Nodes one by one as shapes with their counts, in the order in which each shape comes first. */
export function groupShapes(nodes: readonly Omit<NodeShape, 'count'>[]): NodeShape[] {
  const groups = new Map<string, NodeShape>();
  for (const node of nodes) {
    const key = JSON.stringify(node);
    groups.set(key, { ...node, count: (groups.get(key)?.count ?? 0) + 1 });
  }
  return [...groups.values()];
}
