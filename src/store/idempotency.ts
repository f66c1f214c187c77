import { CallerError } from '../domain/failures.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';

/** One use of an idempotency key by a tenant. */
export interface IdempotentCall {
  readonly tenantId: string;
  readonly key: string;
  readonly mutation: string;
  /** Digest of the call's input without the key. */
  readonly bodyHash: string;
}

/**
 * Begins an idempotent call: null when it is the first of its key, else the answer that the first one was given. Keys live on
 * PostgreSQL's wall clock: `IN_FLIGHT_SECONDS` until the call is finished (its process may have died), then `RETENTION_SECONDS`.
 * @throws CallerError IDEMPOTENCY_MISMATCH when the key was used for another call, CONFLICT while the first is in flight
 */
export async function beginIdempotentCall(db: Db, call: IdempotentCall): Promise<Prisma.JsonValue | null> {
  const { tenantId, key, mutation, bodyHash } = call;
  const begun = await db.$executeRaw`
    INSERT INTO "IdempotencyKey" AS held ("tenantId", "key", "mutation", "bodyHash", "createdAt", "expiresAt")
    VALUES (${tenantId}::uuid, ${key}, ${mutation}, ${bodyHash}, clock_timestamp(),
            clock_timestamp() + ${IN_FLIGHT_SECONDS}::int * interval '1 second')
        ON CONFLICT ("tenantId", "key") DO UPDATE
       SET "mutation" = excluded."mutation", "bodyHash" = excluded."bodyHash", "response" = NULL,
           "createdAt" = excluded."createdAt", "expiresAt" = excluded."expiresAt"
     WHERE held."expiresAt" < clock_timestamp()`;
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
      'CONFLICT',
      'input.idempotencyKey',
      `a call with key "${key}" is in flight; ask again when it is done`,
    );
  }
  return first.response;
}

/** Keeps the answer, in the transaction that carries the call out, so that both stand or fall together. */
export async function finishIdempotentCall(
  tx: Db,
  call: IdempotentCall,
  response: Prisma.InputJsonValue,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE "IdempotencyKey" SET "response" = ${JSON.stringify(response)}::jsonb,
           "expiresAt" = clock_timestamp() + ${RETENTION_SECONDS}::int * interval '1 second'
     WHERE "tenantId" = ${call.tenantId}::uuid AND "key" = ${call.key}`;
}

/** Frees the key of a call that changed nothing, so that it can be tried again. A kept answer stays: its call was carried out. */
export async function abandonIdempotentCall(db: Db, call: IdempotentCall): Promise<void> {
  const { tenantId, key } = call;
  await db.idempotencyKey.deleteMany({ where: { tenantId, key, response: { equals: Prisma.DbNull } } });
}

/** Ends the retention of keys whose time is over; returns how many went. */
export async function deleteExpiredIdempotencyKeys(db: Db): Promise<number> {
  return db.$executeRaw`DELETE FROM "IdempotencyKey" WHERE "expiresAt" < clock_timestamp()`;
}

const IN_FLIGHT_SECONDS = 120;
const RETENTION_SECONDS = 24 * 3600;
