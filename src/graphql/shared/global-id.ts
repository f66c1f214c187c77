import { type Noun, notFound } from '../../commands/input/not-found.ts';
import { CallerError } from '../../domain/failures.ts';

/** The types that have a global id. */
export const NODE_TYPES = ['Site', 'Job', 'Reservation', 'CoAllocation', 'Import', 'JobGroup'] as const;
export type NodeType = (typeof NODE_TYPES)[number];

const NOUNS: Readonly<Record<NodeType, Noun>> = {
  Site: 'site',
  Job: 'job',
  Reservation: 'reservation',
  CoAllocation: 'co-allocation',
  Import: 'import',
  JobGroup: 'group',
};

/** An id of the database. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The id that callers see: unique over all types, opaque, the same for ever. */
export function toGlobalId(type: NodeType, id: string): string {
  return Buffer.from(`${type}:${id}`).toString('base64url');
}

/** What a global id stands for; null when it is none. */
export function fromGlobalId(globalId: string): { type: NodeType; id: string } | null {
  const [typeName, id, ...rest] = Buffer.from(globalId, 'base64url').toString().split(':');
  const type = NODE_TYPES.find((known) => known === typeName);
  return type && id !== undefined && rest.length === 0 && UUID.test(id) ? { type, id } : null;
}

/**
 * The database's id behind a global id of one type.
 * @param field where the id stands in the caller's input
 * @throws CallerError NOT_FOUND, the same as for an id of nothing
 */
export function decodeId(globalId: string, type: NodeType, field: string): string {
  const decoded = fromGlobalId(globalId);
  if (decoded?.type !== type) throw notFound(NOUNS[type], field);
  return decoded.id;
}

/**
 * Database ids of a list of global ids; an absent list is empty.
 * @throws CallerError INVALID for an empty list, which says neither all nor none; NOT_FOUND as `decodeId`
 */
export function decodeIds(globalIds: readonly string[] | null | undefined, type: NodeType, field: string): string[] {
  if (globalIds?.length === 0) {
    throw new CallerError('INVALID', field, `an empty list names no ${NOUNS[type]}; leave it out for every one`);
  }
  return (globalIds ?? []).map((globalId, index) => decodeId(globalId, type, `${field}[${index}]`));
}
