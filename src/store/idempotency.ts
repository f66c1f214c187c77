import { CallerError } from '../domain/failures.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Database, Db } from './database.ts';
import { LIVING_PROCESSES } from './presence.ts';

/** One use of an idempotency key by a tenant. */
export interface IdempotentCall {
  readonly tenantId: string;
  readonly key: string;
  readonly mutation: string;
  /** Digest of the call's input without the key. */
  readonly bodyHash: string;
  /** What tells this call from others with the same key. */
  readonly callId: string;
}

/**
 * Begins an idempotent call: null when it is the first of its key, else the answer that the first one was given. A key
 * whose call is in flight is free again as soon as the process that carries it out is gone, at the latest after
 * `IN_FLIGHT_SECONDS` of PostgreSQL's wall clock; a finished one is kept for `KEY_RETENTION_DAYS`.
 * @throws CallerError IDEMPOTENCY_MISMATCH when the key was used for another call, IN_FLIGHT while the first is in
 * flight
 */
export async function beginIdempotentCall(
  { db, presence }: Database,
  call: IdempotentCall,
): Promise<Prisma.JsonValue | null> {
  const { tenantId, key, mutation, bodyHash, callId } = call;
  const processId = await presence.id();
  const begun = await db.$executeRaw`
    INSERT INTO "IdempotencyKey" AS held ("tenantId", "key", "mutation", "bodyHash", "callId", "processId", "createdAt", "expiresAt")
    VALUES (${tenantId}::uuid, ${key}, ${mutation}, ${bodyHash}, ${callId}::uuid, ${processId}::int, clock_timestamp(),
            clock_timestamp() + ${IN_FLIGHT_SECONDS}::int * interval '1 second')
        ON CONFLICT ("tenantId", "key") DO UPDATE
       SET "mutation" = excluded."mutation", "bodyHash" = excluded."bodyHash", "response" = NULL,
           "callId" = excluded."callId", "processId" = excluded."processId",
           "createdAt" = excluded."createdAt", "expiresAt" = excluded."expiresAt"
     WHERE held."expiresAt" < clock_timestamp()
        OR (held."response" IS NULL AND held."processId" NOT IN (${LIVING_PROCESSES}))`;
  if (begun === 1) return null;
  const first = await db.idempotencyKey.findUnique({ where: { tenantId_key: { tenantId, key } } });
  if (first && (first.mutation !== mutation || first.bodyHash !== bodyHash)) {
    throw new CallerError(
      'IDEMPOTENCY_MISMATCH',
      'input.idempotencyKey',
      `key "${key}" was used for another call; use a fresh one`,
    );
  }
  if (!first || first.response === null) {
    throw new CallerError(
      'IN_FLIGHT',
      'input.idempotencyKey',
      `a call with key "${key}" is in flight; ask again when it is done`,
    );
  }
  return first.response;
}

/**
 * Keeps the answer, in the transaction that carries the call out, so that both stand or fall together.
 * @throws CallerError IN_FLIGHT when the key was given to another call, as this one seemed to be lost
 */
export async function finishIdempotentCall(
  tx: Db,
  call: IdempotentCall,
  response: Prisma.InputJsonValue,
): Promise<void> {
  const kept = await tx.$executeRaw`
    UPDATE "IdempotencyKey" SET "response" = ${JSON.stringify(response)}::jsonb,
           "expiresAt" = clock_timestamp() + ${KEY_RETENTION_DAYS}::int * interval '1 day'
     WHERE "tenantId" = ${call.tenantId}::uuid AND "key" = ${call.key} AND "callId" = ${call.callId}::uuid`;
  if (kept === 1) return;
  const message = `another call with key "${call.key}" has taken this one's place; ask again for its answer`;
  throw new CallerError('IN_FLIGHT', 'input.idempotencyKey', message);
}

/**
 * Frees the key of a call that changed nothing, so that it can be tried again. A kept answer stays: its call was
 * carried out.
 */
export async function abandonIdempotentCall(db: Db, call: IdempotentCall): Promise<void> {
  const { tenantId, key, callId } = call;
  await db.idempotencyKey.deleteMany({ where: { tenantId, key, callId, response: { equals: Prisma.DbNull } } });
}

/** Ends the retention of up to `limit` keys whose time is over; returns how many went. */
export async function deleteExpiredIdempotencyKeys(db: Db, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "IdempotencyKey" WHERE ctid IN (
      SELECT ctid FROM "IdempotencyKey" WHERE "expiresAt" < clock_timestamp() LIMIT ${limit}::int FOR UPDATE SKIP LOCKED)`;
}

/** How long the answer of a finished call is kept. */
export const KEY_RETENTION_DAYS = 30;
/** For calls of machines that are gone without a word; longer than any call takes. */
const IN_FLIGHT_SECONDS = 600;
