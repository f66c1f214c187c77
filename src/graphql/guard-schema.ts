import { type GraphQLFieldResolver, type GraphQLSchema, isObjectType } from 'graphql';
import type { CallerError } from '../domain/failures.ts';
import type { ApiContext } from './context.ts';
import { findTextFault } from './input/find-text-fault.ts';

type Resolve = GraphQLFieldResolver<unknown, ApiContext>;

/**
 * Puts a guard before every resolver that takes arguments: texts that nobody can store are refused, by a mutation in its
 * `userErrors`.
 */
export function guardSchema(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    const refuse = type === schema.getMutationType() ? asPayload : asError;
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field;
      if (resolve && field.args.length > 0) field.resolve = guarded(resolve as Resolve, refuse) as typeof resolve;
    }
  }
  return schema;
}

function guarded(resolve: Resolve, refuse: (fault: CallerError) => unknown): Resolve {
  return (source, args, context, info) => {
    const fault = findTextFault(args);
    return fault ? refuse(fault) : resolve(source, args, context, info);
  };
}

function asPayload({ code, field, message }: CallerError): unknown {
  return { userErrors: [{ code, field, message }] };
}

function asError(fault: CallerError): never {
  throw fault;
}
