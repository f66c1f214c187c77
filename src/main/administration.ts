import type { EpochSeconds } from '../domain/clock.ts';
import { formatExactSeconds } from '../domain/duration.ts';
import { CallerError } from '../domain/failures.ts';
import { didYouMean } from '../domain/near-names.ts';
import { migrateQueues } from '../flow/queue-store.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { deployMigrations } from '../store/migrate.ts';
import {
  createToken as createTokenOf,
  ensurePrincipal,
  ensureTenant,
  type IssuedToken,
  type ListedToken,
  listTenantNames,
  listTokens as listTokensOf,
  type Principal,
  revokeToken as revokeTokenOf,
} from '../store/principals.ts';
import { seekAllOpen } from '../store/restores.ts';
import { assertConnects } from './assert-connects.ts';
import { assertMigrated } from './assert-migrated.ts';
import { createClock } from './clock.ts';
import type { Config } from './config.ts';

/** Whom a new token stands for. */
export interface TokenRequest {
  readonly tenant: string;
  readonly principal: string;
  readonly role: Principal['role'];
  /** Null for a token that does not expire. */
  readonly expiresSeconds: number | null;
  /**
   * Whether the tenant may be made. The first one of a deployment always may: there is none that could have been meant.
   */
  readonly newTenant?: boolean;
}

/** A token just made. */
export interface NewToken extends IssuedToken {
  readonly expiresAt: EpochSeconds | null;
}

/**
 * Brings tables and queues to their newest schema. A database that there is not is made.
 * @throws CannotStart when it cannot be reached: Prisma's own command would wait for ever
 */
export async function migrate(config: Config, databaseUrl: string): Promise<void> {
  await assertConnects(databaseUrl, true);
  await deployMigrations(databaseUrl, { ...config.environment });
  await migrateQueues(databaseUrl);
}

/**
 * Has everything open in a database that was restored from a backup sought at its sites, once the workers run: what was
 * handed in since the backup is not on record. Brings it to the newest schema first.
 * @returns how many executions
 */
export async function noteRestore(config: Config, databaseUrl: string): Promise<number> {
  await migrate(config, databaseUrl);
  return withDatabase(databaseUrl, ({ db }) => seekAllOpen(db, createClock(config).now()));
}

/**
 * Makes a token for a principal, who is created when missing. Its text is not kept anywhere; older tokens stay what
 * they are.
 * @throws CallerError INVALID for names or a time that cannot be, NOT_FOUND for a tenant that is neither there nor said
 * to be new
 */
export function createToken(config: Config, databaseUrl: string, request: TokenRequest): Promise<NewToken> {
  return withDatabase(databaseUrl, async (database) => {
    const { tenant, principal, role, expiresSeconds } = request;
    checkName('tenant', tenant);
    checkName('principal', principal);
    if (expiresSeconds !== null && !(expiresSeconds > 0 && expiresSeconds <= LONGEST_SECONDS)) {
      const message = `a token expires after ${formatExactSeconds(LONGEST_SECONDS)} at most, or never; got ${formatExactSeconds(expiresSeconds)}`;
      throw new CallerError('INVALID', 'expires', message);
    }
    const now = createClock(config).now();
    const expiresAt = expiresSeconds === null ? null : now + expiresSeconds;
    return database.transaction(async (tx) => {
      if (!request.newTenant) assertTenantIsKnown(tenant, await listTenantNames(tx));
      const tenantId = await ensureTenant(tx, tenant, now);
      const principalId = await ensurePrincipal(tx, tenantId, principal, role);
      return { ...(await createTokenOf(tx, { principalId, role, now, expiresAt })), expiresAt };
    });
  });
}

/** The newest tokens, of one tenant or of all; without `all` those that still open a door. */
export function listTokens(
  config: Config,
  databaseUrl: string,
  { tenant, all }: { readonly tenant: string | null; readonly all: boolean },
): Promise<ListedToken[]> {
  return withDatabase(databaseUrl, ({ db }) =>
    listTokensOf(db, { tenant, all, now: createClock(config).now(), limit: LISTED_TOKENS }),
  );
}

/** Takes a token back, by its id or its text. @throws CallerError NOT_FOUND when no live token has it */
export function revokeToken(config: Config, databaseUrl: string, tokenOrId: string): Promise<void> {
  return withDatabase(databaseUrl, async ({ db }) => {
    if (await revokeTokenOf(db, tokenOrId, createClock(config).now())) return;
    throw new CallerError('NOT_FOUND', null, 'no live token has that id or text');
  });
}

function checkName(field: string, name: string): void {
  const isPlain = name.length <= 63 && /^[^\p{C}\p{Zl}\p{Zp}]+$/u.test(name) && name === name.trim();
  if (isPlain && name !== '') return;
  const rule = `a ${field} has a name of 1 to 63 characters, none of them invisible, no blank at either end`;
  throw new CallerError('INVALID', field, `${rule}; got ${JSON.stringify(name.slice(0, 80))}`);
}

function assertTenantIsKnown(tenant: string, known: readonly string[]): void {
  if (known.length === 0 || known.includes(tenant)) return;
  const meant = didYouMean(tenant, known);
  throw new CallerError('NOT_FOUND', 'tenant', `there is no tenant ${JSON.stringify(tenant)}${meant}`);
}

const LONGEST_SECONDS = 3650 * 86_400;
const LISTED_TOKENS = 1000;

async function withDatabase<T>(databaseUrl: string, work: (database: Database) => Promise<T>): Promise<T> {
  await assertConnects(databaseUrl);
  const database = openDatabase(databaseUrl, 2);
  try {
    await assertMigrated(database);
    return await work(database);
  } finally {
    await database.close();
  }
}
