import { Field, ID, InterfaceType } from 'type-graphql';
import { type NodeType, toGlobalId } from './global-id.ts';

/** Everything that has a global id. */
@InterfaceType({
  description: 'Anything with a global id.',
  resolveType: (node: Node) => node.nodeType,
})
export abstract class Node {
  abstract readonly nodeType: NodeType;

  constructor(readonly databaseId: string) {}

  @Field(() => ID, { description: 'Global id: opaque, unique over all types, the same for ever.' })
  get id(): string {
    return toGlobalId(this.nodeType, this.databaseId);
  }
}
