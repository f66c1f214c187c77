import { describe, expect, test } from 'vitest';
import type { StartedRecord } from '../../../../src/domain/job.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../../../../src/domain/snapshot.ts';
import { readCheckpoint, writeCheckpoint } from '../../../../src/predict/checkpoint/checkpoint.ts';
import {
  type SubmissionForecast,
  SubmissionForecaster,
} from '../../../../src/predict/wait/gridcast/submission-forecaster.ts';

const SNAPSHOT_SECONDS = 60;
const JOBS = 2000;

const FIRST_SUBMIT_AT = 10_000;
const SUBMIT_EVERY_SECONDS = 600;
/** More jobs never wait and run together. */
const MOST_PRESENT = 100;

interface Run extends StartedRecord {
  readonly endAt: number;
}

/**
 * Jobs that need the whole machine, first come, first served; how long they run depends on the user, and a little on
 * chance.
 */
const RUNS: readonly Run[] = (() => {
  let freeAt = 0;
  return Array.from({ length: JOBS }, (_, i) => {
    const chance = ((i * 7919) % 997) / 997;
    const submitAt = FIRST_SUBMIT_AT + SUBMIT_EVERY_SECONDS * i + Math.round(500 * chance);
    const startAt = Math.max(submitAt, freeAt);
    const user = `u${(i * 31) % 5}`;
    const endAt = startAt + 150 + 190 * ((i * 31) % 5) + Math.round(100 * chance);
    freeAt = endAt;
    const asked = { user, queue: null, processors: 8, requestedWalltimeSeconds: 3600 };
    return { nativeId: `${i}`, ...asked, submitAt, startAt, endAt, outcome: null };
  });
})();

function snapshotAt(at: number): Snapshot {
  const newest = Math.ceil((at - FIRST_SUBMIT_AT) / SUBMIT_EVERY_SECONDS);
  const seen = RUNS.slice(Math.max(0, newest - MOST_PRESENT), newest + 1).filter(
    ({ submitAt, endAt }) => submitAt < at && endAt >= at,
  );
  const shown = ({ endAt, outcome, startAt, ...job }: Run): WaitingJob => ({ ...job, key: null });
  const running = seen
    .filter(({ startAt }) => startAt < at)
    .map((run): RunningJob => ({ ...shown(run), startAt: run.startAt }));
  const waiting = seen.filter(({ startAt }) => startAt >= at).map(shown);
  return { observedAt: at, processors: 8, freeProcessors: running.length > 0 ? 0 : 8, waiting, running };
}

/** Replays the site; asks about each job that `isAsked`, just before it is submitted. */
function replay(forecaster: SubmissionForecaster, isAsked: (job: number) => boolean) {
  const forecasts = new Map<number, SubmissionForecast | null>();
  const starts = RUNS.map((run, job) => ({ run, job })).sort((a, b) => a.run.startAt - b.run.startAt);
  let [nextStart, nextAt] = [0, SNAPSHOT_SECONDS];
  const happen = (until: number) => {
    while (nextAt <= until || (starts[nextStart]?.run.startAt ?? Number.POSITIVE_INFINITY) < until) {
      const start = starts[nextStart];
      if (start && start.run.startAt < nextAt && start.run.startAt < until) {
        forecaster.learn({ ...start.run, endAt: null });
        nextStart++;
      } else {
        forecaster.observe(snapshotAt(nextAt));
        nextAt += SNAPSHOT_SECONDS;
      }
    }
  };
  RUNS.forEach((run, job) => {
    happen(run.submitAt);
    if (isAsked(job)) forecasts.set(job, forecaster.predict(run, run.submitAt, snapshotAt(run.submitAt)));
  });
  return forecasts;
}

describe('forecasts of submissions', () => {
  const asked = replay(new SubmissionForecaster(), (job) => job >= JOBS - 1000);
  const scored = [...asked].map(([job, forecast]) => {
    const { startAt, submitAt } = RUNS[job] as Run;
    return { forecast: forecast as SubmissionForecast, wait: startAt - submitAt };
  });

  test('a young site is forecast by its queue from 120 known waits on', () => {
    const young = replay(new SubmissionForecaster(), (job) => job === 100 || (job >= 200 && job < 500));
    expect(young.get(100)).toBeNull();
    young.delete(100);
    const [errors, waits] = [[] as number[], [] as number[]];
    for (const [job, forecast] of young) {
      const { startAt, submitAt } = RUNS[job] as Run;
      waits.push(startAt - submitAt);
      errors.push(Math.abs((forecast?.pointSeconds ?? Number.NaN) - (startAt - submitAt)));
      expect(forecast?.sampleSize).toBeGreaterThanOrEqual(120);
    }
    const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0);
    const meanSeconds = sum(waits) / waits.length;
    expect(sum(errors)).toBeLessThan(0.5 * sum(waits.map((wait) => Math.abs(wait - meanSeconds))));
  });

  test('the queue and the expected runtimes tell most of the wait', () => {
    const mean = scored.reduce((sum, { wait }) => sum + wait, 0) / scored.length;
    const errorOf = (pointOf: (forecast: SubmissionForecast) => number) =>
      scored.reduce((sum, { forecast, wait }) => sum + Math.abs(pointOf(forecast) - wait), 0) / scored.length;
    expect(errorOf(({ pointSeconds }) => pointSeconds)).toBeLessThan(0.4 * errorOf(() => mean));
  });

  test('the site is never as full as the snapshots can show', () => {
    RUNS.forEach(({ submitAt }, i) => {
      expect((RUNS[Math.max(0, i - MOST_PRESENT)] as Run).endAt < submitAt || i < MOST_PRESENT).toBe(true);
    });
  });

  test('levels come true, a wait at several bounds counting for the part that a level covers', () => {
    for (const percent of [50, 80, 90, 95]) {
      const within = scored.reduce((sum, { forecast: { quantileSeconds }, wait }) => {
        const below = quantileSeconds.filter((bound) => bound < wait).length;
        const equal = quantileSeconds.filter((bound) => bound === wait).length;
        return sum + Math.min(1, Math.max(0, (percent - below) / Math.max(1, equal)));
      }, 0);
      expect(Math.abs(within / scored.length - percent / 100)).toBeLessThan(0.06);
    }
  });

  test('the point is not moved with the percentile 50, and lies within the percentiles', () => {
    for (const { forecast } of scored) {
      expect(forecast.pointSeconds).toBeGreaterThanOrEqual(forecast.quantileSeconds[0] as number);
      expect(forecast.pointSeconds).toBeLessThanOrEqual(forecast.quantileSeconds.at(-1) as number);
    }
    const moved = scored.filter(({ forecast }) => forecast.pointSeconds !== forecast.quantileSeconds[49]);
    expect(moved.length).toBeGreaterThan(0.5 * scored.length);
  });

  test('bounds never fall and the sample is what was learned', () => {
    for (const { forecast } of scored) {
      expect(forecast.sampleSize).toBeLessThanOrEqual(JOBS);
      forecast.quantileSeconds.forEach((bound, i) => {
        expect(bound).toBeGreaterThanOrEqual(forecast.quantileSeconds[i - 1] ?? 0);
      });
    }
  });

  test('asked often or seldom it says the same', () => {
    const seldom = replay(new SubmissionForecaster(), (job) => job === JOBS - 1);
    expect(seldom.get(JOBS - 1)).toEqual(asked.get(JOBS - 1));
  });

  test('a past that nobody watched is learned from when the first snapshot comes', () => {
    const forecaster = new SubmissionForecaster();
    const last = RUNS[JOBS - 1] as Run;
    for (const run of RUNS) forecaster.learn({ ...run, endAt: null });
    expect(forecaster.predict(last, last.submitAt, snapshotAt(last.submitAt))).toBeNull();
    forecaster.observe(snapshotAt(last.submitAt));
    const forecast = forecaster.predict(last, last.submitAt, snapshotAt(last.submitAt));
    expect(forecast?.sampleSize, 'the later half tells its errors').toBe(JOBS / 2);
    expect(forecast?.pointSeconds).toBeGreaterThanOrEqual(0);
  });

  test('while nothing starts, bounds reach beyond every wait that is known', () => {
    const forecaster = new SubmissionForecaster();
    const known = RUNS.slice(0, 400);
    for (const run of known) forecaster.learn({ ...run, endAt: null });
    const longestSeconds = Math.max(...known.map(({ submitAt, startAt }) => startAt - submitAt));
    const { submitAt, ...asked } = RUNS[400] as Run;
    const endless: RunningJob = { ...asked, nativeId: 'endless', key: null, submitAt, startAt: submitAt };
    const boundAfter = (steps: number) => {
      const waiting = Array.from({ length: steps }, (_, i): WaitingJob => {
        return { ...asked, nativeId: `w${i}`, key: null, submitAt: submitAt + 600 * i + 300 };
      });
      const observedAt = submitAt + 600 * steps;
      const state = { observedAt, processors: 8, freeProcessors: 0, waiting, running: [endless] };
      forecaster.observe(state);
      return forecaster.predict(asked, observedAt, state)?.quantileSeconds[94] as number;
    };
    const bounds = Array.from({ length: 60 }, (_, i) => boundAfter(i));
    expect(bounds[0]).toBeLessThan(1.5 * longestSeconds);
    expect(bounds.at(-1)).toBeGreaterThan(2 * longestSeconds);
  });

  test('by a stale snapshot nothing is said', () => {
    const forecaster = new SubmissionForecaster();
    for (const run of RUNS) forecaster.learn({ ...run, endAt: null });
    const state = snapshotAt(1_000_000);
    forecaster.observe(state);
    expect(forecaster.predict(RUNS[0] as Run, state.observedAt + 1200, state)).not.toBeNull();
    expect(forecaster.predict(RUNS[0] as Run, state.observedAt + 1201, state)).toBeNull();
  });
});

describe('jobs that the trees do not tell apart', () => {
  const site = new SubmissionForecaster();
  replay(site, () => false);
  const kept = writeCheckpoint(site, {});
  const { submitAt: at } = RUNS[JOBS - 1] as Run;
  const say = (forecaster: SubmissionForecaster, requestedWalltimeSeconds: number) => {
    const job = { user: null, queue: null, processors: 8, requestedWalltimeSeconds };
    return forecaster.predict(job, at, snapshotAt(at));
  };
  const again = () => readCheckpoint(kept, new SubmissionForecaster());

  test('have the levels of their own classes, whichever is asked about first', () => {
    const [short, long] = [say(again(), SHORT_SECONDS), say(again(), LONG_SECONDS)];
    expect(short?.quantileSeconds).not.toEqual(long?.quantileSeconds);
    const [shortFirst, longFirst] = [again(), again()];
    expect([say(shortFirst, SHORT_SECONDS), say(shortFirst, LONG_SECONDS)]).toEqual([short, long]);
    expect([say(longFirst, LONG_SECONDS), say(longFirst, SHORT_SECONDS)]).toEqual([long, short]);
  });

  test('are forecast anew once the site was looked at', () => {
    const [asked, other] = [again(), again()];
    const known = RUNS.filter(({ submitAt, startAt }) => submitAt <= at && startAt >= at);
    expect(known.length).toBeGreaterThan(0);
    for (const forecaster of [asked, other]) for (const run of known) forecaster.learn({ ...run, endAt: null });
    const before = say(asked, SHORT_SECONDS);
    for (const forecaster of [asked, other]) forecaster.observe(snapshotAt(at + 1200));
    const after = say(other, SHORT_SECONDS);
    expect(after).not.toEqual(before);
    expect(say(asked, SHORT_SECONDS)).toEqual(after);
  });
});

/** More than any job asked for, of two classes of walltimes. */
const SHORT_SECONDS = 20_000;
const LONG_SECONDS = 100_000;
