import type { Clock } from '../domain/clock.ts';
import { CallerError } from '../domain/failures.ts';
import { migrateQueues } from '../flow/kit.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { deployMigrations } from '../store/migrate.ts';
import { ensurePrincipal, ensureTenant, issueToken, type Principal, revokeToken } from '../store/principals.ts';
import { createClock } from './clock.ts';
import type { Config } from './config.ts';

/** Whom a new token stands for. */
export interface TokenRequest {
  readonly tenant: string;
  readonly principal: string;
  readonly role: Principal['role'];
  /** Null for a token that does not expire. */
  readonly expiresDays: number | null;
}

const SECONDS_PER_DAY = 86_400;

/** Brings tables and queues to their newest schema. */
export async function migrate(config: Config, databaseUrl: string): Promise<void> {
  await deployMigrations(databaseUrl, { ...config.environment });
  await migrateQueues({ databaseUrl, redisUrl: config.REDIS_URL ?? null });
}

/** Makes a token for a principal, who is created with its tenant when missing. The text is not kept anywhere. */
export function createToken(config: Config, databaseUrl: string, request: TokenRequest): Promise<string> {
  return withDatabase(databaseUrl, async ({ db }) => {
    const clock: Clock = createClock(config);
    const now = clock.now();
    const tenantId = await ensureTenant(db, request.tenant, now);
    const principalId = await ensurePrincipal(db, tenantId, request.principal, request.role);
    const expiresAt = request.expiresDays === null ? null : now + request.expiresDays * SECONDS_PER_DAY;
    return issueToken(db, principalId, now, expiresAt);
  });
}

/** Takes a token back. @throws CallerError NOT_FOUND when no live token has that text */
export function revokeTokenByText(config: Config, databaseUrl: string, token: string): Promise<void> {
  return withDatabase(databaseUrl, async ({ db }) => {
    if (await revokeToken(db, token, createClock(config).now())) return;
    throw new CallerError('NOT_FOUND', null, 'no live token has that text');
  });
}

async function withDatabase<T>(databaseUrl: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(databaseUrl, 2);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
