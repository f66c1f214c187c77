import { createHash } from 'node:crypto';
import type { EpochSeconds } from '../domain/clock.ts';
import type { Database, Db } from './database.ts';
import { toDate } from './moments.ts';

/** The name under which a text is kept: SHA-256 of its UTF-8, in hexadecimal digits. */
export function scriptHashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Keeps a text until the caller's transaction refers to it, once however often it is told. Returns its hash. Until that
 * transaction ends nobody deletes it.
 */
export async function keepScript(tx: Db, text: string): Promise<string> {
  const hash = scriptHashOf(text);
  for (;;) {
    const kept = await tx.$queryRaw<unknown[]>`
      WITH known AS (SELECT "hash" FROM "ScriptText" WHERE "hash" = ${hash} FOR KEY SHARE),
      made AS (
        INSERT INTO "ScriptText" ("hash", "text") SELECT ${hash}, ${text} WHERE NOT EXISTS (SELECT 1 FROM known)
            ON CONFLICT ("hash") DO NOTHING RETURNING "hash")
      SELECT "hash" FROM known UNION ALL SELECT "hash" FROM made`;
    if (kept.length > 0) return hash;
  }
}

/** Keeps the texts of several executions of one transaction, in the order in which everybody does. */
export async function keepScripts(tx: Db, texts: readonly string[]): Promise<void> {
  const byHash = new Map(texts.map((text) => [scriptHashOf(text), text]));
  for (const [, text] of [...byHash].sort(([a], [b]) => (a < b ? -1 : 1))) await keepScript(tx, text);
}

/** The text of an execution's script; null once that was deleted. */
export async function readScript(db: Db, scriptHash: string | null): Promise<string | null> {
  if (scriptHash === null) return null;
  return (await readScripts(db, [scriptHash])).get(scriptHash) ?? null;
}

/** Texts by their hashes; those that were deleted are absent. */
export async function readScripts(db: Db, hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (hashes.length === 0) return new Map();
  const rows = await db.scriptText.findMany({ where: { hash: { in: [...new Set(hashes)] } } });
  return new Map(rows.map(({ hash, text }) => [hash, text]));
}

/**
 * Has up to `limit` executions that ended before a moment forget their scripts, and deletes the texts that no other
 * needs. Returns how many executions.
 */
export function forgetScriptsBefore(database: Database, before: EpochSeconds, limit: number): Promise<number> {
  return database.transaction(async (tx) => {
    const ended = await tx.$queryRaw<{ scriptHash: string }[]>`
      WITH ended AS (
        SELECT "id", "scriptHash" FROM "Execution"
         WHERE "state" = 'ENDED' AND "scriptHash" IS NOT NULL AND COALESCE("endedAt", "updatedAt") < ${toDate(before)}
         ORDER BY "id" LIMIT ${limit}::int FOR UPDATE SKIP LOCKED),
      forgotten AS (UPDATE "Execution" e SET "scriptHash" = NULL FROM ended WHERE e."id" = ended."id")
      SELECT "scriptHash" FROM ended`;
    if (ended.length === 0) return 0;
    const hashes = [...new Set(ended.map(({ scriptHash }) => scriptHash))].sort();
    // Locked by a statement of their own: the next one sees every execution that has referred to them until then.
    await tx.$queryRaw`SELECT 1 FROM "ScriptText" WHERE "hash" = ANY(${hashes}) ORDER BY "hash" FOR UPDATE`;
    await tx.$executeRaw`
      DELETE FROM "ScriptText" t WHERE t."hash" = ANY(${hashes})
         AND NOT EXISTS (SELECT 1 FROM "Execution" e WHERE e."scriptHash" = t."hash")`;
    return ended.length;
  });
}
