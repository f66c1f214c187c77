import { ApolloArmor } from '@escape.tech/graphql-armor';
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
  type ValidationRule,
} from 'graphql';
import { queryCost } from './query-cost.ts';

/** How large one query may be. */
export const QUERY_LIMITS = {
  depth: 12,
  aliases: 30,
  directives: 20,
  tokens: 2000,
  /** Of the text of the query, without its variables: faults are shown with their line, which is counted anew for each. */
  characters: 200_000,
  /** Fields that it may return, each list at the size asked for; what has to be computed counts more. */
  cost: 6000,
} as const;

/** Rules that refuse a query for its shape alone, before anything is looked up. */
export const LIMIT_RULES: readonly ValidationRule[] = new ApolloArmor({
  maxDepth: { n: QUERY_LIMITS.depth, flattenFragments: true },
  maxAliases: { n: QUERY_LIMITS.aliases },
  maxDirectives: { n: QUERY_LIMITS.directives },
  // The parser's own limit also covers subscriptions.
  maxTokens: { enabled: false },
  // Knows nothing of variables; see assertAffordable.
  costLimit: { enabled: false },
  blockFieldSuggestion: { enabled: false },
}).protect().validationRules;

/**
 * Refuses a query that would cost too much with the variables it came with.
 * @throws GraphQLError with code QUERY_TOO_COMPLEX
 */
export function assertAffordable(
  schema: GraphQLSchema,
  query: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): void {
  // Malformed variables are reported by the execution, which never begins with them.
  const options = { maxErrors: 1 };
  const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, options);
  if (errors) return;
  const cost = queryCost(schema, query, operation, coerced);
  if (cost <= QUERY_LIMITS.cost) return;
  const message = `this query costs ${Math.round(cost)}, at most ${QUERY_LIMITS.cost} is allowed; ask for smaller pages or fewer fields`;
  throw new GraphQLError(message, { extensions: { code: 'QUERY_TOO_COMPLEX', http: { status: 400 } } });
}
