import { Readable } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { DAY_SECONDS } from '../../../src/domain/clock.ts';
import { READ_BYTES, RUNTIME, WRITTEN_BYTES } from '../../../src/predict/quantities.ts';
import { readLogBytes } from '../../../src/sim/read-workload.ts';
import type { Workload } from '../../../src/sim/workload.ts';
import { QUICKEST_OTHERS } from '../quickest.ts';
import { executionOf } from './rows.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';

const HOUR_SECONDS = 3600;
const WARM_DAYS = 12;
/** The flood that is there when the story begins began so long ago. */
const FLOOD_AGE_SECONDS = 600;
const FLOOD = { name: 'flood', seconds: HOUR_SECONDS, walltime: 5400, bytes: 4e12 };
const DRIP = { name: 'drip', seconds: 1800, walltime: HOUR_SECONDS, bytes: 5e11 };

let world: SteppedWorld | undefined;
afterEach(() => world?.close());

/**
 * A log that tells bytes: every hour somebody's job that writes steadily, and once a day, last just before the story
 * begins, three jobs that write all that the file system takes.
 */
function log(): Promise<Workload> {
  const lines: string[] = [];
  const add = (at: number, { name, seconds, walltime, bytes }: typeof FLOOD) =>
    lines.push([lines.length + 1, 'ann', name, at, at, at + seconds, 8, walltime, 0, bytes, 0].join(','));
  for (let hour = 0; hour < 24 * (WARM_DAYS + 1); hour++) {
    add(hour * HOUR_SECONDS, DRIP);
    const isFloodNext = (hour + 1) % 24 === 0;
    if (isFloodNext) for (let job = 0; job < 3; job++) add((hour + 1) * HOUR_SECONDS - FLOOD_AGE_SECONDS, FLOOD);
  }
  const head = 'jobid,user,jobname,qtime,start,end,procs,reqwalltime,exit_status,written_bytes,read_bytes';
  return readLogBytes(Readable.from([Buffer.from(`${head}\n${lines.join('\n')}\n`)]), 'bytes.csv');
}

async function createWorld(): Promise<SteppedWorld> {
  const trace = await log();
  const io = ['io/gridcast'];
  return createSteppedWorld({
    seed: 5,
    sites: [{ name: 'east', processors: 64, workload: { trace: { file: 'bytes.csv' } }, warmDays: WARM_DAYS }],
    traces: { east: trace },
    others: {
      ...QUICKEST_OTHERS,
      [RUNTIME.name]: ['runtime/gridcast'],
      [READ_BYTES.name]: io,
      [WRITTEN_BYTES.name]: io,
    },
  });
}

const WORK = { script: '#!/bin/sh\nsleep 300\n', arguments: [], processors: 8, walltimeSeconds: HOUR_SECONDS };
const ANYWHERE = { queue: null, siteIds: [], deadlineAt: null, idempotencyKey: null };

test('bytes that a site tells are learned, its burst is forecast, and a job waits for its end and then runs', async () => {
  const here = await createWorld();
  world = here;
  const { clock, database, commands, principal } = here;
  const startedAt = clock.now();
  const worker = here.worker();
  const siteId = here.siteIds.get('east') as string;
  await here.until('its history is read', async () => (await database.db.record.count()) >= 200, worker);
  const flood = { user: 'user001', queue: 'batch', processors: 8, requestedWalltimeSeconds: FLOOD.walltime };
  const program = { name: FLOOD.name, script: null, arguments: [], workFolder: null };
  const ofFlood = [{ ...flood, program, submitAt: clock.now() }];
  const saidOfFlood = async () =>
    (await commands.forecaster.forecastOthers(siteId, WRITTEN_BYTES.name, ofFlood))[0]?.point;
  await expect.poll(saidOfFlood, { timeout: 60_000 }).toBeCloseTo(FLOOD.bytes, -9);
  const io = await commands.forecaster.forecastIo(siteId, { now: clock.now(), aheadSeconds: DAY_SECONDS });
  const isBurst = io?.slots.map(
    (slot) => slot.readBytesPerSecond + slot.writtenBytesPerSecond > io.burstBytesPerSecond,
  );
  expect(isBurst?.slice(0, 6)).not.toContain(false);
  expect(isBurst?.slice(24)).not.toContain(true);

  const submit = async (name: string, avoidIoBurstsSeconds: number | null) => {
    const job = { ...WORK, ...ANYWHERE, name, avoidIoBurstsSeconds };
    return (await submitJob(commands, principal, job)).executionId;
  };
  const [held, atOnce] = [await submit('held', 2 * HOUR_SECONDS), await submit('at-once', null)];
  const row = async (id: string) => (await executionOf(here, id)) ?? expect.fail(`no execution ${id}`);
  await here.until('it is held', async () => (await row(held)).state === 'HELD', worker);
  expect((await row(held)).reason).toMatch(/it would start into a burst of the site's IO/);
  const isOver = async (id: string) => (await row(id)).settledAt !== null;
  await here.until('both are over', async () => (await isOver(held)) && (await isOver(atOnce)), worker);
  const acceptedAt = new Map(
    here.journal('east').flatMap((one) => (one.kind === 'submit' ? [[one.name, one.at]] : [])),
  );
  const sinceStart = (name: string) => (acceptedAt.get(name) ?? Number.NaN) - startedAt;
  expect(sinceStart('at-once')).toBeLessThan(600);
  expect(sinceStart('held')).toBeGreaterThan(FLOOD.seconds - FLOOD_AGE_SECONDS - 600);
  expect(sinceStart('held')).toBeLessThan(2 * HOUR_SECONDS);
});
