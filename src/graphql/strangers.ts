import { type DefinitionNode, Kind, OperationTypeNode, parse } from 'graphql';
import { QUERY_LIMITS } from './query-limits.ts';

/**
 * Whether somebody without a token may send that: `{ __typename }`, as monitors ask, and nothing else. It is judged
 * before the query is held against the schema, whose names would be told by what is found wrong.
 */
export function mayStrangerSend(query: string): boolean {
  try {
    return parse(query, { maxTokens: QUERY_LIMITS.tokens, noLocation: true }).definitions.every(isPing);
  } catch {
    return false;
  }
}

function isPing(definition: DefinitionNode): boolean {
  if (definition.kind !== Kind.OPERATION_DEFINITION || definition.operation !== OperationTypeNode.QUERY) return false;
  const { variableDefinitions = [], directives = [], selectionSet } = definition;
  if (variableDefinitions.length > 0 || directives.length > 0) return false;
  return selectionSet.selections.every((selection) => {
    if (selection.kind !== Kind.FIELD || selection.name.value !== '__typename') return false;
    return [selection.arguments, selection.directives, selection.selectionSet?.selections].every(isEmpty);
  });
}

function isEmpty(list: readonly unknown[] | undefined): boolean {
  return (list?.length ?? 0) === 0;
}
