import type { EpochSeconds } from '../domain/clock.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { toDate, type WithMoments, withMoments } from './moments.ts';

const WITH_PRINCIPAL = { include: { principal: { select: { name: true } } } } as const;

/** A log that was taken into a site's history, with who did it. */
export type ImportRow = WithMoments<Prisma.ImportGetPayload<typeof WITH_PRINCIPAL>>;

/** What became of the jobs of a log. */
export type ImportCounts = Readonly<Record<'imported' | 'changed' | 'skipped', number>>;

/** Writes an import down before its records are; returns its id. */
export async function createImport(
  tx: Db,
  { siteId, principalId, now }: { siteId: string; principalId: string; now: EpochSeconds },
): Promise<string> {
  const data = { siteId, principalId, importedAt: toDate(now), imported: 0, changed: 0, skipped: 0 };
  return (await tx.import.create({ data })).id;
}

export async function saveImportCounts(tx: Db, id: string, counts: ImportCounts): Promise<void> {
  await tx.import.update({ where: { id }, data: counts });
}

export async function findImport(db: Db, id: string): Promise<ImportRow | null> {
  return withMoments(await db.import.findUnique({ where: { id }, ...WITH_PRINCIPAL }));
}

/** Notes that an import is undone. False when it was already: somebody else has done it. */
export async function markUndone(tx: Db, id: string, now: EpochSeconds): Promise<boolean> {
  const { count } = await tx.import.updateMany({ where: { id, undoneAt: null }, data: { undoneAt: toDate(now) } });
  return count === 1;
}

export async function saveRemoved(tx: Db, id: string, removed: number): Promise<void> {
  await tx.import.update({ where: { id }, data: { removed } });
}

/** The newest imports of a site, newest first. */
export async function listImports(db: Db, siteId: string, limit: number): Promise<ImportRow[]> {
  const orderBy = [{ importedAt: 'desc' }, { id: 'desc' }] as const;
  return withMoments(
    await db.import.findMany({ where: { siteId }, orderBy: [...orderBy], take: limit, ...WITH_PRINCIPAL }),
  );
}
