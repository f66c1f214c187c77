import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JobRecord } from '../../../src/domain/job.ts';
import type { Snapshot } from '../../../src/domain/snapshot.ts';
import { knownPast } from '../../../src/forecast/known-past.ts';
import { Timeline } from '../../../src/predict/past/timeline.ts';
import { knownAt, simulatedRecords } from '../../simulated-records.ts';

const PROCESSORS = 64;
const ALL = simulatedRecords(400, PROCESSORS);
const LAST = ALL.at(-1)?.submitAt ?? 0;

function shownAt(records: readonly JobRecord[], at: number): Snapshot {
  const timeline = new Timeline(PROCESSORS);
  for (const record of records) timeline.observe(record);
  return timeline.snapshotAt(at);
}

function sorted({ waiting, running, ...rest }: Snapshot) {
  const byId = (a: { nativeId: string }, b: { nativeId: string }) => Number(a.nativeId) - Number(b.nativeId);
  return { ...rest, waiting: waiting.toSorted(byId), running: running.toSorted(byId) };
}

test('the past ends in what the site says, whatever the records have not told yet', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: LAST, noNaN: true }), fc.infiniteStream(fc.nat(9)), (at, dice) => {
      const now = shownAt(ALL, at);
      const told = knownAt(ALL, at).flatMap((record) => {
        const roll = dice.next().value;
        if (roll === 0 && record.endAt === null) return [];
        return [roll === 1 && record.endAt === null ? { ...record, startAt: null } : record];
      });
      const { startAt: _, ...shown } = sorted(shownAt(knownPast(told, now), at)) as Snapshot & { startAt?: never };
      expect(shown).toEqual(sorted(now));
    }),
  );
});

test('a job that is gone ends at its requested walltime when nobody told its end, and is left out when it never started', () => {
  const job = { user: null, queue: null, processors: 1, requestedWalltimeSeconds: 100, endAt: null, outcome: null };
  const lost = { ...job, nativeId: '1', submitAt: 0, startAt: 10 };
  const justGone = { ...job, nativeId: '2', submitAt: 0, startAt: 950 };
  const withdrawn = { ...job, nativeId: '3', submitAt: 0, startAt: null };
  const empty = { observedAt: 1000, processors: 1, freeProcessors: 1, waiting: [], running: [] };
  expect(knownPast([lost, justGone, withdrawn], empty)).toEqual([{ ...lost, endAt: 110 }, justGone]);
});
