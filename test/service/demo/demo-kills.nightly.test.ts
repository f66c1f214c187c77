import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JournalEntry, JournalSubmit } from '../../../adapters/simulator/journal.ts';
import { stopLeftStack } from '../../../src/main/stack.ts';
import { readJournal } from '../../read-journal.ts';
import { countJobsInForce } from '../jobs-in-force.ts';
import { killProcess, processesOf, startDemo, untilReplaced } from './run-demo.ts';

const SITES = ['alder', 'birch', 'cedar'];
const MINUTES = 60_000;
const RESERVATIONS = 36;
/** The demo asks again while a site is out of sight, so deaths of workers cost time and not promises. */
const FEWEST_PROMISED = RESERVATIONS / 2;
/** The demo may be over before the last of them where workers take long to come up. */
const MOST_KILLS = 20;
const FEWEST_KILLS = 8;
/** Long enough for a new worker to take something in hand. */
const PAUSE_MILLISECONDS = 14_000;
/**
 * Enough for a kill to find some job on its way. While a worker comes up an hour of the sites' time goes by on a busy
 * machine, and promises with it.
 */
const FEWEST_NATIVE = 5;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-demo-'));
  chmodSync(folder, 0o755);
});
afterAll(async () => {
  for (const name of ['many', 'kills']) await stopLeftStack(join(folder, name), () => undefined);
  rmSync(folder, { recursive: true, force: true });
});

function journals(data: string): JournalEntry[][] {
  return SITES.map((site) => readJournal(join(data, 'journals'), site));
}

/** Native jobs of the story at all sites, from the sites' own journals. */
function nativeJobs(data: string): JournalSubmit[] {
  return journals(data)
    .flat()
    .filter((entry) => entry.kind === 'submit');
}

test('kill -9 of the worker again and again under many reservations', { timeout: 8 * MINUTES }, async () => {
  const data = join(folder, 'many');
  const demo = startDemo(data, '--once', '--json', '--reservations', String(RESERVATIONS), '--port', '0');
  await demo.until('reservations,');
  let isOver = false;
  const ended = demo.ended.finally(() => {
    isOver = true;
  });
  let kills = 0;
  while (kills < MOST_KILLS && !isOver) {
    if (!processesOf(data).has('worker')) {
      await Promise.race([sleep(200), ended]);
      continue;
    }
    const replaced = untilReplaced(data, 'worker', killProcess(data, 'worker')).catch((error: unknown) => {
      if (!isOver) throw error;
    });
    kills++;
    await Promise.race([replaced.then(() => sleep(PAUSE_MILLISECONDS)), ended]);
  }
  expect(await ended, demo.told()).toBe(0);
  expect(kills).toBeGreaterThanOrEqual(FEWEST_KILLS);
  const { reservations, slots } = JSON.parse(demo.printed());
  const promised = slots.filter(({ reservationId }: { reservationId: string | null }) => reservationId !== null);
  expect(promised.length, 'too few promises to show anything').toBeGreaterThanOrEqual(FEWEST_PROMISED);
  expect(reservations).toHaveLength(promised.length);

  const native = nativeJobs(data);
  const names = new Set(native.map(({ name }) => name));
  const duplicated = [...countJobsInForce(journals(data)).values()].filter((count) => count > 1).length;
  const kept = reservations.filter(({ state }: { state: string }) => state === 'KEPT');
  const lost = kept.filter(({ job }: { job: { name: string } }) => !names.has(job.name)).length;
  console.log(
    `${kills} kills, ${promised.length} reservations, ${kept.length} kept, ${native.length} native jobs, ${lost} lost, ${duplicated} duplicated`,
  );
  expect({ lost, duplicated }).toEqual({ lost: 0, duplicated: 0 });
  expect(native.length, 'jobs that came to a site amid the kills').toBeGreaterThanOrEqual(FEWEST_NATIVE);
  expect(reservations.every(({ job }: { job: { outcome: string } }) => job.outcome !== 'LOST')).toBe(true);
  expect(processesOf(data).size).toBe(0);
});

test('kill -9 of every process in mid-story loses nothing and doubles nothing', { timeout: 5 * MINUTES }, async () => {
  const data = join(folder, 'kills');
  const first = startDemo(data, '--port', '0', '--scale', '600');
  await first.until('What becomes of them');
  for (const name of ['worker', 'api', 'simulated-sites', 'postgres']) {
    await untilReplaced(data, name, killProcess(data, name));
    await sleep(1000);
  }
  const submittedBefore = nativeJobs(data).map(({ key }) => key);
  killProcess(data, 'launcher');
  await first.ended;

  const resumed = startDemo(data, '--resume', '--once', '--json');
  expect(await resumed.ended, resumed.told()).toBe(0);
  const { job, promises, eitherOr } = JSON.parse(resumed.printed());
  expect(job).toMatchObject({ state: 'ENDED', outcome: 'COMPLETED' });
  expect(promises.length).toBeGreaterThan(0);
  for (const { reservation } of promises) expect(reservation.job.state).toBe('ENDED');
  expect(['SUCCEEDED', 'FAILED']).toContain(eitherOr.state);

  const keys = nativeJobs(data).map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).toEqual(expect.arrayContaining(submittedBefore));
  const names = nativeJobs(data).map(({ name }) => name);
  expect(names.filter((name) => name === 'story-job')).toHaveLength(1);
  expect(Math.max(...countJobsInForce(journals(data)).values())).toBe(1);
  expect(processesOf(data).size).toBe(0);
});
