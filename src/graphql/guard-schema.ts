import { type GraphQLFieldResolver, type GraphQLSchema, isObjectType } from 'graphql';
import type { CallerError } from '../domain/failures.ts';
import type { ApiContext } from './context.ts';
import { findTextFault } from './input/find-text-fault.ts';

type Resolve = GraphQLFieldResolver<unknown, ApiContext>;

/**
 * Puts a guard before every resolver. Arguments with texts that nobody can store are refused, by a mutation in its
 * `userErrors`. After the operation's cut-off no resolver begins, and none that has begun is waited for.
 */
export function guardSchema(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    const refuse = type === schema.getMutationType() ? asPayload : asError;
    for (const field of Object.values(type.getFields())) {
      const { resolve, args } = field;
      if (!resolve) continue;
      const inTime = untilCutOff(resolve as Resolve);
      field.resolve = (args.length > 0 ? judged(inTime, refuse) : inTime) as typeof resolve;
    }
  }
  return schema;
}

function untilCutOff(resolve: Resolve): Resolve {
  return (source, args, context, info) => {
    const { cutOff } = context;
    if (!cutOff) return resolve(source, args, context, info);
    cutOff.signal.throwIfAborted();
    const value = resolve(source, args, context, info);
    return value instanceof Promise ? Promise.race([value, cutOff.passed]) : value;
  };
}

function judged(resolve: Resolve, refuse: (fault: CallerError) => unknown): Resolve {
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
