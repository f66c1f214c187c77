import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** What a field costs, given its arguments and what lies below it once; a number is added to what lies below. */
type Complexity = number | ((question: ComplexityQuestion) => number);

interface ComplexityQuestion {
  readonly args: Record<string, unknown>;
  readonly childComplexity: number;
  readonly context: ComplexityContext;
}

/** What the cost of a field depends on besides what is asked. */
export interface ComplexityContext {
  /** Whether it is answered again and again, with nobody asking: then items of a list cost what they weigh. */
  readonly isRepeated: boolean;
}

/**
 * What an operation costs with the variables it came with: a field counts 1 and what lies below it, unless its
 * definition says otherwise (`complexity`). Both branches of a condition count. The document must be valid.
 */
export function queryCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): number {
  const root = schema.getRootType(operation.operation);
  const context = { isRepeated: operation.operation === 'subscription' };
  return root ? new CostCounter(schema, document, variables, context).costOf(operation.selectionSet, root) : 0;
}

class CostCounter {
  private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Each fragment is walked once; its cost counts wherever it is spread. */
  private readonly fragmentCosts = new Map<string, number>();

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly variables: Record<string, unknown>,
    private readonly context: ComplexityContext,
  ) {
    const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
    this.fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  }

  costOf({ selections }: SelectionSetNode, type: GraphQLNamedType): number {
    return selections.reduce((sum, selection) => sum + this.selectionCost(selection, type), 0);
  }

  private selectionCost(selection: SelectionNode, type: GraphQLNamedType): number {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return this.fragmentCost(selection.name.value);
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      return this.costOf(selection.selectionSet, this.conditionOf(selection.typeCondition?.name.value) ?? type);
    }
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[selection.name.value] : undefined;
    if (!field) return 1;
    const childComplexity = selection.selectionSet ? this.costOf(selection.selectionSet, getNamedType(field.type)) : 0;
    const complexity = complexityOf(field);
    if (typeof complexity === 'number') return complexity + childComplexity;
    const args = getArgumentValues(field, selection, this.variables);
    return complexity({ args, childComplexity, context: this.context });
  }

  private fragmentCost(name: string): number {
    const known = this.fragmentCosts.get(name);
    if (known !== undefined) return known;
    const fragment = this.fragments.get(name);
    const type = this.conditionOf(fragment?.typeCondition.name.value);
    const cost = fragment && type ? this.costOf(fragment.selectionSet, type) : 0;
    this.fragmentCosts.set(name, cost);
    return cost;
  }

  private conditionOf(name: string | undefined): GraphQLCompositeType | null {
    const type = name === undefined ? undefined : this.schema.getType(name);
    return isObjectType(type) || isInterfaceType(type) ? type : null;
  }
}

function complexityOf(field: GraphQLField<unknown, unknown>): Complexity {
  const { complexity } = field.extensions as { complexity?: Complexity };
  return complexity ?? 1;
}
