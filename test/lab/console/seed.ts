import { type Database, openDatabase } from '../../../src/store/database.ts';

const CHUNK = 1000;

/** What there is to be shown. */
export interface Amounts {
  readonly jobs: number;
  readonly sites: number;
}

/**
 * Fills a service's database with jobs of the tenant that owns the newest token, and with sites. Nobody is woken for
 * any of them: they are there to be shown.
 */
export async function seedConsole(databaseUrl: string, { jobs, sites }: Amounts): Promise<void> {
  const database = openDatabase(databaseUrl, 2);
  try {
    await seedSites(database, sites);
    await seedJobs(database, jobs);
  } finally {
    await database.close();
  }
}

async function seedSites({ db }: Database, count: number): Promise<void> {
  const now = new Date();
  await db.site.createMany({
    data: Array.from({ length: count }, (_, index) => ({
      ...{ name: `site-${String(index).padStart(4, '0')}`, adapter: 'simulator', configuration: {}, createdAt: now },
      ...{ processors: 1024, usableProcessors: 1024, observedAt: now, factsAt: now },
    })),
  });
  const rows = await db.site.findMany({ select: { id: true } });
  await db.observation.createMany({
    data: rows.map(({ id: siteId }, index) => ({
      ...{ siteId, observedAt: now, processors: 1024, freeProcessors: index % 1024 },
      ...{ waitingJobs: index % 200, waitingProcessors: index, runningJobs: index % 300 },
    })),
  });
}

async function seedJobs({ db }: Database, count: number): Promise<void> {
  const { id: principalId, tenantId } = await db.principal.findFirstOrThrow({ orderBy: { id: 'desc' } });
  const site = await db.site.findFirstOrThrow({ select: { id: true } });
  const now = Date.now();
  for (let done = 0; done < count; done += CHUNK) {
    await db.execution.createMany({
      data: Array.from({ length: Math.min(CHUNK, count - done) }, (_, index) => ({
        ...{ tenantId, principalId, requestId: 'seed', name: `job-${done + index}`, siteId: site.id },
        ...{ state: 'ENDED' as const, outcome: 'COMPLETED' as const, arguments: [], labels: [`part=${index % 7}`] },
        ...{ processors: 1 + (index % 64), walltimeSeconds: 3600, settledAt: new Date(now) },
        ...{
          nativeSubmittedAt: new Date(now - 7_200_000),
          startedAt: new Date(now - 3_600_000),
          endedAt: new Date(now),
        },
        ...{ createdAt: new Date(now - 8_000_000 - done - index), updatedAt: new Date(now) },
      })),
    });
  }
}
