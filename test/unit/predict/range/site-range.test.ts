import { describe, expect, test } from 'vitest';
import { describeOutside } from '../../../../src/domain/known-range.ts';
import type { Snapshot, WaitingJob } from '../../../../src/domain/snapshot.ts';
import { watchPast } from '../../../../src/predict/past/watched-past.ts';
import { SiteRange } from '../../../../src/predict/range/site-range.ts';
import { simulatedRecords } from '../../../simulated-records.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const STEP = 300;
const USUAL = 1;

/**
 * So many jobs of one processor wait, the last one for a minute and each for a minute longer than the one behind it.
 */
function queueOf(jobs: number, observedAt: number): Snapshot {
  const waiting = Array.from({ length: jobs }, (_, i): WaitingJob => {
    const job = { nativeId: `${observedAt}-${i}`, key: null, user: null, queue: null, processors: 1 };
    return { ...job, requestedWalltimeSeconds: 600, submitAt: observedAt - 60 * (jobs - i) };
  });
  return { observedAt, processors: 100, freeProcessors: 0, waiting, running: [] };
}

/** A site whose queue was at most five jobs long for four days. */
function calmSite(): SiteRange {
  const range = new SiteRange();
  for (let at = 0; at < 4 * DAY; at += STEP) range.observe(queueOf((at / STEP) % 6, at), USUAL);
  return range;
}

describe('the range that a site is known in', () => {
  test('a queue as long as ever is within it', () => {
    const range = calmSite();
    range.observe(queueOf(5, 4 * DAY), USUAL);
    expect(range.outside).toBeNull();
  });

  test('a queue of forty where five were known is not, says so, and is followed after two hours', () => {
    const range = calmSite();
    const since = 4 * DAY;
    range.observe(queueOf(40, since), USUAL);
    expect(range.outside).toMatchObject({ what: 'WAITING_JOBS', value: 40, sinceAt: since, isFollowed: false });
    expect(range.outside?.knownUpTo).toBeLessThan(7);
    expect(range.outside && describeOutside(range.outside)).toMatch(/40 jobs wait, known are up to 5/);
    for (let at = since + STEP; at <= since + 2 * HOUR; at += STEP) range.observe(queueOf(40, at), USUAL);
    expect(range.outside).toMatchObject({ sinceAt: since, isFollowed: true });
  });

  test('a burst of submissions has to be twice as large as ever', () => {
    const range = new SiteRange();
    const arriving = (jobs: number, observedAt: number): Snapshot => {
      const { waiting, ...rest } = queueOf(5, observedAt);
      const running = Array.from({ length: jobs }, (_, i) => {
        const [job] = waiting as [WaitingJob];
        return { ...job, nativeId: `${observedAt}-run-${i}`, submitAt: observedAt - 600, startAt: observedAt - 600 };
      });
      return { ...rest, waiting, running };
    };
    for (let at = 0; at < 4 * DAY; at += STEP) range.observe(arriving((at / STEP) % 16, at), USUAL);
    range.observe(arriving(30, 4 * DAY), USUAL);
    expect(range.outside).toBeNull();
    range.observe(arriving(50, 4 * DAY + STEP), USUAL);
    expect(range.outside).toMatchObject({ what: 'ARRIVALS', value: 55 });
  });

  test('it is back two hours after the queue is', () => {
    const range = calmSite();
    range.observe(queueOf(40, 4 * DAY), USUAL);
    for (let at = STEP; at < 2 * HOUR; at += STEP) range.observe(queueOf(3, 4 * DAY + at), USUAL);
    expect(range.outside).toMatchObject({ value: 40 });
    range.observe(queueOf(3, 4 * DAY + 2 * HOUR), USUAL);
    expect(range.outside).toBeNull();
  });

  test('what has lasted for more than a day has become known', () => {
    const range = calmSite();
    const outsideAfter = (from: number, until: number) => {
      for (let at = from; at < until; at += STEP) range.observe(queueOf(40, 4 * DAY + at), USUAL);
      return range.outside !== null;
    };
    expect(outsideAfter(0, DAY)).toBe(true);
    expect(outsideAfter(DAY, DAY + 6 * HOUR)).toBe(false);
  });

  test('forecasts that come late are outside, too, with the same queue', () => {
    const range = calmSite();
    range.observe(queueOf(5, 4 * DAY), 4);
    expect(range.outside).toMatchObject({ what: 'LATENESS', value: 4 });
  });

  test('says nothing of a site of which less than a day is known', () => {
    const range = new SiteRange();
    for (let at = 0; at < 1.5 * DAY; at += STEP) range.observe(queueOf(1, at), USUAL);
    range.observe(queueOf(40, 1.5 * DAY), USUAL);
    expect(range.outside).toBeNull();
  });

  test('a site that goes on as it was seldom leaves its range', () => {
    const processors = 64;
    const records = simulatedRecords(12_000, processors);
    const range = new SiteRange();
    let [looks, outside] = [0, 0];
    const fromAt = records[0]?.submitAt ?? 0;
    for (const sight of watchPast(records, { processors, snapshotSeconds: STEP })) {
      if (sight.kind !== 'snapshot') continue;
      range.observe(sight.state, USUAL);
      if (sight.at < fromAt + 10 * DAY) continue;
      looks++;
      if (range.outside) outside++;
    }
    expect(looks).toBeGreaterThan(3000);
    expect(outside / looks).toBeLessThan(0.05);
  });
});
