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
  /**
   * Of the text of the query, without its variables: faults are shown with their line, which is counted anew for each.
   */
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

/** The code of every error about the size or shape of a query. */
export const TOO_COMPLEX = 'QUERY_TOO_COMPLEX';

/** What the rules and the parser say when a limit is passed, and what that means to whoever sent the query. */
const LIMIT_WORDS: readonly (readonly [RegExp, (most: string, found: string) => string])[] = [
  [
    /Query depth limit of (\d+) exceeded, found (\d+)/,
    (most, found) =>
      `this query is ${found} levels deep, at most ${most} are allowed; ask for what lies deeper by its id`,
  ],
  [
    /Aliases limit of (\d+) exceeded, found (\d+)/,
    (most, found) => `this query has ${found} aliases, at most ${most} are allowed; send several queries`,
  ],
  [
    /Directives limit of (\d+) exceeded, found (\d+)/,
    (most, found) => `this query has ${found} directives, at most ${most} are allowed; leave out what is not needed`,
  ],
  [
    /Document contains more that (\d+) tokens/,
    (most) =>
      `this query has more than ${most} tokens, which is the most that is read; pass values as variables, send several queries`,
  ],
];

/** The sentence for an error about a limit: which, its value, the remedy; null for other errors. */
export function explainLimit(message: string): string | null {
  for (const [pattern, words] of LIMIT_WORDS) {
    const [whole, most = '', found = ''] = pattern.exec(message) ?? [];
    if (whole !== undefined) return words(most, found);
  }
  return null;
}

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
  const cost = costWith(schema, query, operation, variables);
  if (cost <= QUERY_LIMITS.cost) return;
  const message = `this query costs ${Math.round(cost)}, at most ${QUERY_LIMITS.cost} is allowed; ask for smaller pages or fewer fields`;
  throw new GraphQLError(message, { extensions: { code: TOO_COMPLEX, http: { status: 400 } } });
}

/**
 * What an operation costs with the variables it came with. Nothing when they are malformed: that is reported by the
 * execution, which never begins with them.
 */
export function costWith(
  schema: GraphQLSchema,
  query: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): number {
  const options = { maxErrors: 1 };
  const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, options);
  return errors ? 0 : queryCost(schema, query, operation, coerced);
}
