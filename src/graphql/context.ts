import type { CommandContext } from '../commands/context.ts';
import { CallerError } from '../domain/failures.ts';
import type { Principal } from '../store/principals.ts';
import type { ChangeHub } from './change-hub.ts';
import { createLoaders, type Loaders } from './loaders.ts';

/** What the resolvers of one operation share. */
export interface ApiContext {
  /** Null when the request carried no token. */
  readonly principal: Principal | null;
  readonly commands: CommandContext;
  readonly changes: ChangeHub;
  /** Batched reads; they remember what they have read. */
  loaders: Loaders;
  /** For operations that live long: fails, and shows the caller out, once the token is not good any more. */
  readonly recheck: () => Promise<void>;
}

/** The context of one operation with fresh loaders. */
export function createContext(parts: Omit<ApiContext, 'loaders'>): ApiContext {
  return { ...parts, loaders: createLoaders(parts.commands.database.db) };
}

/** Forgets what was read, because something has changed since. */
export function renewLoaders(context: ApiContext): void {
  context.loaders = createLoaders(context.commands.database.db);
}

/** @throws CallerError UNAUTHENTICATED when nobody is calling */
export function callerOf({ principal }: ApiContext): Principal {
  if (principal) return principal;
  throw new CallerError('UNAUTHENTICATED', null, 'send a bearer token in the authorization header');
}

/** The row if it is the caller's tenant's, else null: what a caller may not see does not exist for it. */
export function ownedBy<Row extends { readonly tenantId: string }>(
  principal: Principal,
  row: Row | null | undefined,
): Row | null {
  return row?.tenantId === principal.tenantId ? row : null;
}
