import type { Database, Db } from '../../../src/store/database.ts';

/**
 * Takes a copy of all that a database holds; what is returned puts it back in place of all that it holds then, as a
 * restored backup does.
 */
export async function backUp({ db, transaction }: Database): Promise<() => Promise<void>> {
  const tables = await tablesByDependence(db);
  await db.$executeRawUnsafe('CREATE SCHEMA backup');
  for (const table of tables) {
    await db.$executeRawUnsafe(`CREATE TABLE backup."${table}" AS TABLE public."${table}"`);
  }
  return () =>
    transaction(async (tx) => {
      await tx.$executeRawUnsafe(`TRUNCATE ${tables.map((table) => `public."${table}"`).join()} CASCADE`);
      for (const table of tables) {
        await tx.$executeRawUnsafe(`INSERT INTO public."${table}" SELECT * FROM backup."${table}"`);
      }
      await tx.$executeRawUnsafe('DROP SCHEMA backup CASCADE');
    });
}

/** Names of the tables, each after those that it refers to. */
async function tablesByDependence(db: Db): Promise<string[]> {
  const left = new Map<string, Set<string>>();
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT relname::text AS "name" FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`;
  for (const { name } of tables) left.set(name, new Set());
  const references = await db.$queryRaw<{ from: string; to: string }[]>`
    SELECT a.relname::text AS "from", b.relname::text AS "to" FROM pg_constraint c
      JOIN pg_class a ON a.oid = c.conrelid JOIN pg_class b ON b.oid = c.confrelid
     WHERE c.contype = 'f' AND c.conrelid <> c.confrelid`;
  for (const { from, to } of references) left.get(from)?.add(to);
  const sorted: string[] = [];
  while (left.size > 0) {
    const free = [...left.keys()].filter((name) => [...(left.get(name) ?? [])].every((other) => !left.has(other)));
    if (free.length === 0) throw new Error(`these tables refer to each other: ${[...left.keys()].join()}`);
    for (const name of free) left.delete(name);
    sorted.push(...free);
  }
  return sorted;
}
