import type { CommandContext } from '../commands/carry-out/context.ts';
import { CallerError } from '../domain/failures.ts';
import type { Principal } from '../store/principals.ts';
import type { ChangeHub } from './change-hub.ts';
import type { CutOff } from './cut-off.ts';
import { createLoaders, type Loaders } from './loaders.ts';

/** What the resolvers of one operation share. */
export interface ApiContext {
  /** Null when the request carried no token. */
  readonly principal: Principal | null;
  readonly commands: CommandContext;
  readonly changes: ChangeHub;
  /** Null for operations that live long. */
  readonly cutOff: CutOff | null;
  /** Batched reads; they remember what they have read. */
  loaders: Loaders;
  /** For operations that live long: fails, and shows the caller out, once the token is not good any more. */
  readonly recheck: () => Promise<void>;
}

/**
 * What the commands of one operation are given; its forecasts are asked in the name of the caller's tenant, until the
 * signal.
 */
export function commandsOf(
  { database, clock, forecaster, adapters, limits }: Omit<CommandContext, 'requestId'>,
  requestId: string,
  principal: Principal | null,
  signal: AbortSignal,
): CommandContext {
  const asker = { name: principal?.tenantId ?? '', signal, mostInFlight: limits.maxForecastsInFlight };
  const asked = { ...forecaster, ...forecaster.askedBy(asker) };
  return { database, clock, forecaster: asked, adapters, limits, requestId, signal };
}

/** The context of one operation with fresh loaders, which are made when they are first needed. */
export function createContext(parts: Omit<ApiContext, 'loaders'>): ApiContext {
  let made: Loaders | null = null;
  return {
    ...parts,
    get loaders() {
      made ??= createLoaders(parts.commands.database.db);
      return made;
    },
    set loaders(fresh) {
      made = fresh;
    },
  };
}

/** Forgets what was read, because something has changed since. */
export function renewLoaders(context: ApiContext): void {
  context.loaders = createLoaders(context.commands.database.db);
}

/** Reads what has changed, once for all who are told of it. */
export function shareLoaders(context: ApiContext): void {
  context.loaders = context.changes.lookOnce('loaders', () => createLoaders(context.commands.database.db));
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
