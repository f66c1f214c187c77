import { CallerError } from '../../domain/failures.ts';
import type { Principal } from '../../store/principals.ts';

type Role = Principal['role'];

const EVERYONE: readonly Role[] = ['GATEWAY', 'WORKFLOW', 'ADMIN'];
const PROMISES: readonly Role[] = ['WORKFLOW', 'ADMIN'];
const OPERATIONS: readonly Role[] = ['ADMIN'];

/** Roles that may cancel what others of their tenant have asked for. */
const CANCEL_OTHERS = PROMISES;

/** Who may do what. Reading one's own tenant's things and the sites is open to every role. */
const MAY = {
  submitJob: EVERYONE,
  submitArray: EVERYONE,
  cancelJob: EVERYONE,
  cancelJobs: EVERYONE,
  submitNow: EVERYONE,
  plan: EVERYONE,
  forecast: EVERYONE,
  predictorScores: EVERYONE,
  reserve: PROMISES,
  reservationOffer: PROMISES,
  cancelReservation: PROMISES,
  coAllocate: PROMISES,
  cancelCoAllocation: PROMISES,
  registerSite: OPERATIONS,
  updateSite: OPERATIONS,
  checkSite: OPERATIONS,
  setSiteDefaults: OPERATIONS,
  drainSite: OPERATIONS,
  removeSite: OPERATIONS,
  importHistory: OPERATIONS,
  undoImport: OPERATIONS,
} as const satisfies Record<string, readonly Role[]>;

/** Something a caller may or may not do, by the name of its mutation or query. */
export type Action = keyof typeof MAY;

/** @throws CallerError FORBIDDEN when the caller's role does not carry the right */
export function assertMay(principal: Principal, action: Action): void {
  const roles: readonly Role[] = MAY[action];
  if (roles.includes(principal.role)) return;
  const message = `${action} needs role ${roles.join(' or ')}, the token of ${principal.name} has ${principal.role}`;
  throw new CallerError('FORBIDDEN', null, message);
}

/** Whether a caller may cancel what others of its tenant have asked for. */
export function mayCancelOthers({ role }: Principal): boolean {
  return CANCEL_OTHERS.includes(role);
}

/**
 * A job is cancelled by its owner, or by a role that may cancel for others of the tenant.
 * @param owner who asked for it
 * @throws CallerError FORBIDDEN for anybody else
 */
export function assertMayCancel(principal: Principal, owner: { readonly id: string; readonly name: string }): void {
  if (owner.id === principal.id || mayCancelOthers(principal)) return;
  const who = `it is cancelled by its owner, or by role ${CANCEL_OTHERS.join(' or ')}`;
  const message = `this job is ${owner.name}'s; ${who}, and the token of ${principal.name} has ${principal.role}`;
  throw new CallerError('FORBIDDEN', 'input.id', message);
}
