import type { Db } from '../../src/store/database.ts';

/** As if a thread had said nothing for longer than it lives by its word. */
export async function beSilent(db: Db, threadId: number): Promise<void> {
  await db.$executeRaw`
    UPDATE "ForecastingProcess" SET "until" = now() - interval '1 s' WHERE "id" = ${threadId}::int`;
}
