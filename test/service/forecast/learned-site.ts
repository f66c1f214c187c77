import type { JobRecord } from '../../../src/domain/job.ts';
import type { Forecaster } from '../../../src/forecast/forecaster.ts';
import { Timeline } from '../../../src/predict/past/timeline.ts';
import { saveRecords } from '../../../src/store/records.ts';
import { createSite, saveSnapshot } from '../../../src/store/sites.ts';
import { claimTurn, type Turn } from '../../../src/store/turns.ts';
import { knownAt } from '../../simulated-records.ts';
import type { TestDatabase } from '../database.ts';

/** A site that is told of, bit by bit. */
export interface ToldSite {
  readonly id: string;
  /** Makes known what of its records was known at a moment, and the site as it looked then. */
  tell(now: number): Promise<void>;
}

/** @param records of all of its time, in the order of submission */
export async function createToldSite(
  { database }: TestDatabase,
  name: string,
  records: readonly JobRecord[],
  processors: number,
): Promise<ToldSite> {
  const { db } = database;
  const { id } = await createSite(db, { name, adapter: 'simulator', configuration: {}, now: 0 });
  const turn = (await claimTurn(db, 'Site', id, { milliseconds: 600_000, holder: null })) as Turn;
  const timeline = new Timeline(processors);
  for (const record of records) timeline.observe(record);
  return {
    id,
    async tell(now) {
      await database.transaction(async (tx) => {
        await saveRecords(tx, id, knownAt(records, now));
        await saveSnapshot(tx, turn, timeline.snapshotAt(now));
      });
    },
  };
}

/** What a gateway would be told of a submission now and of some later ones. */
export function askOf(forecaster: Pick<Forecaster, 'forecastWaits'>, siteId: string, now: number) {
  const job = { queue: null, user: null, processors: 32, requestedWalltimeSeconds: 7200 };
  const leads = [0, 600, 7200];
  return forecaster.forecastWaits(
    siteId,
    leads.map((lead) => ({ ...job, submitAt: now + lead, isOneOfMany: true })),
  );
}
