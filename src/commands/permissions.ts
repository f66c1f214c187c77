import { CallerError } from '../domain/failures.ts';
import type { Principal } from '../store/principals.ts';

type Role = Principal['role'];

const EVERYONE: readonly Role[] = ['GATEWAY', 'WORKFLOW', 'ADMIN'];
const PROMISES: readonly Role[] = ['WORKFLOW', 'ADMIN'];
const OPERATIONS: readonly Role[] = ['ADMIN'];

/** Who may do what. Reading one's own tenant's things and the sites is open to every role. */
const MAY = {
  submitJob: EVERYONE,
  cancelJob: EVERYONE,
  plan: EVERYONE,
  forecast: EVERYONE,
  predictorScores: EVERYONE,
  reserve: PROMISES,
  reservationOffer: PROMISES,
  cancelReservation: PROMISES,
  coAllocate: PROMISES,
  cancelCoAllocation: PROMISES,
  registerSite: OPERATIONS,
  drainSite: OPERATIONS,
  importHistory: OPERATIONS,
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
