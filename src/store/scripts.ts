import { createHash } from 'node:crypto';
import type { EpochSeconds } from '../domain/clock.ts';
import type { Database, Db } from './database.ts';
import { ANY, gathered, padded } from './gathered.ts';
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
  await keepText(tx, { hash, text });
  return hash;
}

/** In the order of their hashes, in which everybody locks them. */
const keepText = gathered(ANY, async (tx, told: readonly { readonly hash: string; readonly text: string }[]) => {
  const left = new Map(told.map(({ hash, text }) => [hash, text]));
  while (left.size > 0) {
    const rows = Array.from(left, ([hash, text]) => ({ hash, text }));
    const kept = await tx.$queryRaw<{ hash: string }[]>`
      WITH told AS (SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS t("hash" text, "text" text)),
      known AS (
        SELECT s."hash" FROM "ScriptText" s JOIN told ON told."hash" = s."hash" ORDER BY s."hash" FOR KEY SHARE OF s),
      made AS (
        INSERT INTO "ScriptText" ("hash", "text")
        SELECT "hash", "text" FROM told WHERE "hash" NOT IN (SELECT "hash" FROM known) ORDER BY "hash"
            ON CONFLICT ("hash") DO NOTHING RETURNING "hash")
      SELECT "hash" FROM known UNION ALL SELECT "hash" FROM made`;
    for (const { hash } of kept) left.delete(hash);
  }
  return told.map(() => undefined);
});

/** Keeps the texts of several executions of one transaction. */
export async function keepScripts(tx: Db, texts: readonly string[]): Promise<void> {
  await Promise.all(texts.map((text) => keepScript(tx, text)));
}

/** The text of an execution's script; null once that was deleted. */
export async function readScript(db: Db, scriptHash: string | null): Promise<string | null> {
  return scriptHash === null ? null : readText(db, scriptHash);
}

const readText = gathered(ANY, async (db, hashes: readonly string[]): Promise<(string | null)[]> => {
  const texts = await readScripts(db, hashes);
  return hashes.map((hash) => texts.get(hash) ?? null);
});

/** Texts by their hashes; those that were deleted are absent. */
export async function readScripts(db: Db, hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (hashes.length === 0) return new Map();
  const rows = await db.scriptText.findMany({ where: { hash: { in: padded([...new Set(hashes)]) } } });
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
