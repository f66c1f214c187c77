import { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';

/**
 * What is kept from others until a transaction ends, by what of: the assignments of jobs to a site, a site's records,
 * the jobs of a tenant that are being written down. Each has keys of its own: who writes a site's history for minutes
 * must not keep jobs from being planned there.
 */
export type LockedThing = keyof typeof SEEDS;

/** Waits until nobody else has it, shared or not. */
export async function lockThing(tx: Db, thing: LockedThing, id: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${keyOf(thing, Prisma.sql`${id}`)})`;
}

/** Waits until nobody has any of them to himself; others may share them meanwhile. */
export async function shareThings(tx: Db, thing: LockedThing, ids: readonly string[]): Promise<void> {
  const inOrder = [...new Set(ids)].sort();
  await tx.$executeRaw`
    SELECT pg_advisory_xact_lock_shared(${keyOf(thing, Prisma.sql`"id"`)}) FROM unnest(${inOrder}::text[]) AS "id"`;
}

function keyOf(thing: LockedThing, id: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`hashtextextended(${id}, ${SEEDS[thing]}::bigint)`;
}

const SEEDS = { assignments: 0, intake: 1, records: 2 } as const;
