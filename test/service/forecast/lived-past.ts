import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import type { WaitForecast } from '../../../src/domain/forecast.ts';
import type { Snapshot } from '../../../src/domain/snapshot.ts';
import { createForecaster } from '../../../src/forecast/create-forecaster.ts';
import type { Forecaster } from '../../../src/forecast/forecaster.ts';
import { Timeline } from '../../../src/predict/past/timeline.ts';
import type { Db } from '../../../src/store/database.ts';
import { saveRecords } from '../../../src/store/records.ts';
import { createSite, saveSnapshot } from '../../../src/store/sites.ts';
import { claimTurn, type Turn } from '../../../src/store/turns.ts';
import { knownAt, simulatedRecords } from '../../simulated-records.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

const PREDICTOR = 'wait/gridcast';
const PROCESSORS = 64;
export const RECORDS = simulatedRecords(600, PROCESSORS);
export const NOW = RECORDS.at(-1)?.submitAt ?? 0;
export const [EARLY, LATE] = [RECORDS.slice(0, 300), RECORDS.slice(300)];

/** A site with the later half of a past, and processes that start beside it. */
export interface LivedPast {
  readonly siteId: string;
  readonly db: Db;
  /** A forecasting thread, as a process has that has just started. */
  started(): Forecaster;
  untilLearned(forecaster: Forecaster): Promise<void>;
  /** What a gateway would be told of a submission now and of a few later ones. */
  ask(forecaster: Forecaster): Promise<WaitForecast[]>;
}

/** The same, for the tests of one file. */
export function livedPast(): LivedPast {
  let stores: TestDatabase;
  let turn: Turn;
  const opened: Forecaster[] = [];
  beforeAll(async () => {
    stores = await createTestDatabase();
    const { db } = stores.database;
    const { id } = await createSite(db, { name: 'kth', adapter: 'simulator', configuration: {}, now: 0 });
    const claimed = await claimTurn(db, 'Site', id, { milliseconds: 60_000, holder: null });
    if (!claimed) throw new Error('nobody got the turn');
    turn = claimed;
    await saveRecords(db, id, knownAt(LATE, NOW));
    await saveSnapshot(db, turn, shownAt(NOW));
  });
  afterAll(async () => {
    await Promise.all(opened.map((forecaster) => forecaster.close()));
    await stores.drop();
  });
  return {
    get siteId() {
      return turn.id;
    },
    get db() {
      return stores.database.db;
    },
    started() {
      const options = { databaseUrl: stores.url, predictor: PREDICTOR, alsoScored: [], freshMilliseconds: 0 };
      const forecaster = createForecaster(options, (error) => {
        throw error;
      });
      opened.push(forecaster);
      return forecaster;
    },
    async untilLearned(forecaster) {
      while ((await forecaster.stateOf(turn.id)).isLearning) await sleep(50);
    },
    ask(forecaster) {
      const job = { queue: null, user: null, processors: 32, requestedWalltimeSeconds: 7200 };
      const at = (submitAt: number) => ({ ...job, submitAt, isOneOfMany: true });
      return forecaster.forecastWaits(turn.id, [at(NOW), at(NOW + 1), at(NOW + 50)]);
    },
  };
}

function shownAt(at: number): Snapshot {
  const timeline = new Timeline(PROCESSORS);
  for (const record of RECORDS) timeline.observe(record);
  return timeline.snapshotAt(at);
}
