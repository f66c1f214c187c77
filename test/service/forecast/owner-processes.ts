import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { WaitForecast } from '../../../src/domain/forecast.ts';
import { OWNERSHIP_LOOK_SECONDS } from '../../../src/domain/ownership.ts';
import { simulatedRecords } from '../../simulated-records.ts';
import type { TestDatabase } from '../database.ts';
import { createToldSite, type ToldSite } from './learned-site.ts';

const SCRIPT = fileURLToPath(new URL('owner-process.ts', import.meta.url));
const PROCESSORS = 64;
const FIRST_RECORDS = 300;
/** So many bring another checkpoint. */
const MORE_RECORDS = 520;
const PATIENCE_MILLISECONDS = 120_000;

/** A process that forecasts, with the number that its row bears. */
export interface Forecasting {
  readonly process: ChildProcess;
  readonly id: number;
}

/** Who owns the site, by its row. */
export interface OwnerRow {
  readonly ownerId: number | null;
  readonly epoch: number;
  readonly checkpoint: number;
}

/** Waits until something is found. */
export async function until<Found>(what: string, find: () => Promise<Found | null | false>): Promise<Found> {
  const giveUpAt = performance.now() + PATIENCE_MILLISECONDS;
  for (;;) {
    const found = await find();
    if (found !== null && found !== false) return found;
    if (performance.now() > giveUpAt) throw new Error(`not within ${PATIENCE_MILLISECONDS} ms: ${what}`);
    await sleep(50);
  }
}

/** Processes that could own one site, which is told of bit by bit, and what they write of it. */
export class OwnerProcesses {
  private readonly processes: ChildProcess[] = [];
  /** Moments that the site has been told of. */
  private readonly toldAt: number[] = [];

  private constructor(
    private readonly stores: TestDatabase,
    readonly site: ToldSite,
    private readonly records: ReturnType<typeof simulatedRecords>,
  ) {}

  /** @param times that more can be told, see `tellMore` */
  static async create(stores: TestDatabase, times: number): Promise<OwnerProcesses> {
    const records = simulatedRecords(FIRST_RECORDS + times * MORE_RECORDS, PROCESSORS);
    const site = await createToldSite(stores, 'site', records, PROCESSORS);
    const { db } = stores.database;
    await db.$executeRaw`CREATE TABLE "Written" ("at" serial, "number" int, "epoch" int, "revision" float8)`;
    await db.$executeRawUnsafe(`CREATE FUNCTION "note"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO "Written" ("number", "epoch", "revision") VALUES (NEW."number", NEW."epoch", NEW."revision");
      RETURN NEW; END $$`);
    await db.$executeRaw`CREATE TRIGGER "note" AFTER INSERT ON "Checkpoint" FOR EACH ROW EXECUTE FUNCTION "note"()`;
    return new OwnerProcesses(stores, site, records);
  }

  async start(): Promise<Forecasting> {
    const rows = () => this.stores.database.db.$queryRaw<{ id: number }[]>`SELECT "id" FROM "ForecastingProcess"`;
    const known = new Set((await rows()).map(({ id }) => id));
    const child = spawn(process.execPath, ['--import', '@oxc-node/core/register', SCRIPT, this.stores.url], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.processes.push(child);
    const id = await until('its row', async () => (await rows()).find((row) => !known.has(row.id))?.id ?? null);
    return { process: child, id };
  }

  async owner(): Promise<OwnerRow> {
    const row = await this.stores.database.db.siteOwner.findUnique({ where: { siteId: this.site.id } });
    return { ownerId: row?.ownerId ?? null, epoch: row?.epoch ?? 0, checkpoint: row?.checkpoint ?? 0 };
  }

  /** Two of them, the owner first. */
  async byOwner(one: Forecasting, other: Forecasting): Promise<[Forecasting, Forecasting]> {
    return (await this.owner()).ownerId === one.id ? [one, other] : [other, one];
  }

  /** What one of them says of one state of the site as it was told last. */
  async say({ process: child }: Forecasting): Promise<WaitForecast[]> {
    const now = this.toldAt.at(-1) as number;
    const answered = once(child, 'message');
    child.send({ siteId: this.site.id, now });
    const [{ said, fault }] = (await answered) as [{ said: WaitForecast[]; fault?: string }];
    expect(fault).toBeUndefined();
    const observedAt = new Set(said.map((one) => one.observedAt));
    expect(observedAt.size, 'one state in one answer').toBe(1);
    return said;
  }

  /** Until who should own the site by the processes that there are does. */
  async untilSettled(): Promise<void> {
    let seen = '';
    let since = performance.now();
    await until('an owner who stays', async () => {
      const now = JSON.stringify(await this.owner());
      if (now !== seen) since = performance.now();
      seen = now;
      return performance.now() - since > 2500 * OWNERSHIP_LOOK_SECONDS;
    });
  }

  /** Tells of more jobs, so many that the owner writes another checkpoint. */
  async tellMore(): Promise<void> {
    const i = FIRST_RECORDS + this.toldAt.length * MORE_RECORDS;
    const now = this.records[Math.min(i, this.records.length) - 1]?.submitAt as number;
    this.toldAt.push(now);
    await this.site.tell(now);
  }

  async untilWritten(): Promise<void> {
    await until('a checkpoint of all that was told', async () => {
      const [row] = await this.stores.database.db.$queryRaw<{ isAll: boolean }[]>`
        SELECT c."revision" = (SELECT max("revision") FROM "Record") AS "isAll" FROM "Checkpoint" c
         ORDER BY c."number" DESC LIMIT 1`;
      return row?.isAll ?? false;
    });
  }

  /** Until another than the one that owned it under an epoch does. @returns seconds that took */
  async untilTaken(before: Pick<OwnerRow, 'ownerId' | 'epoch'>): Promise<number> {
    const from = performance.now();
    await until('another owner', async () => {
      const { ownerId, epoch } = await this.owner();
      return epoch > before.epoch && ownerId !== null && ownerId !== before.ownerId;
    });
    return (performance.now() - from) / 1000;
  }

  /** Checks that all that was ever written is one history. @returns its epochs */
  async oneHistory(): Promise<ReadonlySet<number>> {
    const written = await this.stores.database.db.$queryRaw<{ number: number; epoch: number; revision: number }[]>`
      SELECT "number", "epoch", "revision" FROM "Written" ORDER BY "at"`;
    expect(written.map(({ number }) => number)).toEqual(written.map((_, i) => i + 1));
    for (const [i, after] of written.entries()) {
      const before = written[i - 1];
      expect(after.epoch).toBeGreaterThanOrEqual(before?.epoch ?? 1);
      expect(after.revision).toBeGreaterThanOrEqual(before?.revision ?? 0);
    }
    return new Set(written.map(({ epoch }) => epoch));
  }

  kill(): void {
    for (const one of this.processes) one.kill('SIGKILL');
  }
}
