import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Logger } from 'pino';
import { CallerError } from '../domain/failures.ts';
import { isDatabaseAway } from '../store/database-away.ts';
import { logFault } from '../store/log-fault.ts';
import { explainLimit, TOO_COMPLEX } from './query-limits.ts';
import { explainValueFault, withoutValues } from './value-faults.ts';

/** What callers are told of a fault of ours: nothing but where to ask. */
const MASKED = 'something went wrong on our side; the operators can find it by the request id';

const INTERNAL = 'INTERNAL_SERVER_ERROR';

/** What callers are told while PostgreSQL is away. */
export const AWAY = {
  code: 'UNAVAILABLE',
  message: 'the database of the service does not answer; ask again in a while',
};

/** Logs the faults of ours among the errors of a request, and marks them with its id for whoever is shown them. */
export function noteInternalErrors(errors: readonly GraphQLError[], requestId: string, logger: Logger): void {
  for (const error of errors) {
    if (!isInternal(error)) continue;
    error.extensions.requestId = requestId;
    logFault(logger, error.originalError ?? error, 'internal error', { requestId, path: error.path });
  }
}

/**
 * An error as callers see it: their own mistakes with code and field, faults of ours masked, and of a database that is
 * away that they may ask again.
 */
export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const { message, extensions = {}, ...place } = formatted;
  const cause = error instanceof GraphQLError ? error.originalError : error;
  if (cause instanceof CallerError) {
    return { ...place, message: cause.message, extensions: { code: cause.code, field: cause.field } };
  }
  const limit = explainLimit(message);
  if (limit) return { ...place, message: limit, extensions: { code: TOO_COMPLEX } };
  const fault = error instanceof GraphQLError ? explainValueFault(error) : null;
  if (fault) {
    const code = fault.isOurs ? 'INVALID' : extensions.code;
    return { ...place, message: fault.message, extensions: { code, field: fault.field } };
  }
  if (!isInternal(error)) return { ...formatted, message: withoutValues(message) };
  const { requestId } = extensions;
  const { code, message: told } = isDatabaseAway(cause) ? AWAY : { code: INTERNAL, message: MASKED };
  return { ...place, message: told, extensions: { code, ...(requestId !== undefined && { requestId }) } };
}

/** The errors of an operation that did not come over Apollo, as callers see them. */
export function presentErrors(
  errors: readonly GraphQLError[],
  requestId: string,
  logger: Logger,
): GraphQLFormattedError[] {
  noteInternalErrors(errors, requestId, logger);
  return errors.map((error) => formatError(error.toJSON(), error));
}

/** The error of a request that carries no good token; answered with status 401. */
export function unauthenticated(message: string): GraphQLError {
  const headers = new Map([['www-authenticate', 'Bearer']]);
  return new GraphQLError(message, { extensions: { code: 'UNAUTHENTICATED', http: { status: 401, headers } } });
}

/**
 * True for what no caller can mend. Errors with a code of GraphQL's own, for example of a malformed value, are the
 * caller's.
 */
function isInternal(error: unknown): boolean {
  if (!(error instanceof GraphQLError)) return true;
  const { originalError: cause, extensions } = error;
  if (!cause || cause instanceof GraphQLError || cause instanceof CallerError) return false;
  return extensions.code === undefined || extensions.code === INTERNAL;
}
