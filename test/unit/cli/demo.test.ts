import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { demoSites } from '../../../src/cli/demo/demo-sites.ts';
import { Memory } from '../../../src/cli/demo/memory.ts';
import { tabulate } from '../../../src/cli/demo/promises-kept.ts';
import { drawReservation, PROBABILITIES } from '../../../src/cli/demo/reservation-draw.ts';
import { describeReservation } from '../../../src/cli/demo/story-promises.ts';
import { renderSummary } from '../../../src/cli/demo/summary.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe('the memory of a story', () => {
  test('decides once, also for the next process', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gridcast-memory-'));
    folders.push(folder);
    const file = join(folder, 'story.json');
    let asked = 0;
    const decide = () => ++asked;
    const first = new Memory(file);
    expect(await first.decide('at', decide)).toBe(1);
    expect(await first.decide('at', decide)).toBe(1);
    expect(await new Memory(file).decide('at', decide)).toBe(1);
    expect(await new Memory(file).decide('other', decide)).toBe(2);
  });

  test('remembers that there was nothing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gridcast-memory-'));
    folders.push(folder);
    const file = join(folder, 'story.json');
    expect(await new Memory(file).decide<number | null>('refused', () => null)).toBeNull();
    expect(await new Memory(file).decide<number | null>('refused', () => 1)).toBeNull();
  });
});

test.each([
  ['2026-11-26T03:42:00Z', '18 m before its time'],
  ['2026-11-26T04:10:18Z', '10 m 18 s after its time'],
])('a promise whose job is handed in at %s says: %s', (submittedAt, words) => {
  const job = { state: 'QUEUED', submittedAt, startedAt: null };
  const promise = { state: 'SUBMITTED', startAt: '2026-11-26T04:00:00Z', job, site: { name: 'alder' } };
  const [, said] = describeReservation(promise as unknown as Parameters<typeof describeReservation>[0]);
  expect(said).toContain(`submitted to alder, ${words}, at`);
});

test.each([
  ['2026-11-26T03:42:30Z', false],
  ['2026-11-26T04:10:18Z', true],
])('the summary of a promise whose job went at %s says that the machine is too busy: %s', (submittedAt, says) => {
  const job = {
    state: 'ENDED',
    outcome: 'COMPLETED',
    submittedAt,
    waitSeconds: 60,
    charges: [],
    plan: null,
    site: null,
  };
  const reservation = { state: 'MISSED', submitAt: '2026-11-26T03:42:00Z', promisedProbability: 0.9, charges: [], job };
  const end = { job, promises: [{ leadHours: 2, reservation }], eitherOr: null };
  const told = renderSummary(end as unknown as Parameters<typeof renderSummary>[0]);
  expect(told).toContain('kept 0 of 1 promises');
  expect(told.includes('handed in up to 28 m 18 s after their times')).toBe(says);
});

describe('the sites', () => {
  test('replay the logs under the names of their machines', () => {
    const traces = ['traces/KTH-SP2-1996-2.1-cln.swf.gz', 'SDSC-SP2-1998-4.2-cln.swf', 'KTH-SP2-1996-2.1-cln.swf.gz'];
    expect(demoSites(1, traces).map(({ name }) => name)).toEqual(['kth-sp2', 'sdsc-sp2', 'kth-sp2-3']);
  });

  test.each([false, true])('are three generated ones of different size and policy otherwise', (countsPromises) => {
    const sites = demoSites(1, [], countsPromises);
    expect(new Set(sites.map(({ processors }) => processors)).size).toBe(3);
    expect(new Set(sites.map(({ policy }) => policy)).size).toBe(3);
  });
});

const SITES = [
  { name: 'a', processors: 64 },
  { name: 'b', processors: 512 },
];

describe('drawn reservations', () => {
  test('meet every site with every probability in turn', () => {
    const draws = Array.from({ length: 6 }, (_, slot) => drawReservation(SITES, 1, slot, 0));
    expect(new Set(draws.map(({ site, probability }) => `${site} ${probability}`)).size).toBe(
      SITES.length * PROBABILITIES.length,
    );
  });

  test('are the same for the same seed, slot and attempt, and fit their machine', () => {
    for (let slot = 0; slot < 200; slot++) {
      const draw = drawReservation(SITES, 7, slot, slot % 5);
      expect(draw).toEqual(drawReservation(SITES, 7, slot, slot % 5));
      expect(draw.processors).toBeLessThanOrEqual(draw.site === 'a' ? 8 : 32);
      expect(draw.walltimeSeconds).toBeLessThanOrEqual(14_400);
    }
  });
});

test('promised stands beside kept, by probability, by site and in all', () => {
  const reservation = (id: string, state: string, probability: number, site: string) => ({
    id,
    state,
    probability,
    promisedProbability: probability + 0.01,
    site: { name: site },
    job: { state: 'ENDED' },
    charges:
      state === 'KEPT'
        ? [
            { kind: 'NEEDED', processorSeconds: 100 },
            { kind: 'PADDING', processorSeconds: 50 },
          ]
        : [],
  });
  const rows = tabulate(
    [
      reservation('1', 'KEPT', 0.5, 'a'),
      reservation('2', 'MISSED', 0.5, 'b'),
      reservation('3', 'KEPT', 0.95, 'b'),
      reservation('4', 'CANCELLED', 0.95, 'b'),
    ],
    [{ reservationId: '1', refused: [{ site: 'a', probability: 0.95, processors: 1, walltimeSeconds: 600 }] }],
  );
  expect(rows.map(({ group, refused, decided, kept }) => [group, refused, decided, kept])).toEqual([
    ['asked for 50 %', 0, 2, 1],
    ['asked for 95 %', 1, 1, 1],
    ['at a', 1, 1, 1],
    ['at b', 0, 2, 1],
    ['all', 1, 3, 2],
  ]);
  expect(rows.at(-1)).toMatchObject({ keptShare: 2 / 3, chargeRatio: 1.5 });
});
