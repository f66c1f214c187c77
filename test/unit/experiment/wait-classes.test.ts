import { describe, expect, test } from 'vitest';
import { calibrationClassesOf } from '../../../src/experiment/wait/calibration-classes.ts';
import { ClassCalibrations, LEAST_CLASS_JOBS } from '../../../src/experiment/wait/class-calibration.ts';
import { pairedErrorRatio } from '../../../src/experiment/wait/paired-errors.ts';
import { leastRelativeError } from '../../../src/stats/least-relative-error.ts';

const percentiles = (secondsAt: (share: number) => number) =>
  Array.from({ length: 99 }, (_, i) => secondsAt((i + 1) / 100));

describe('levels by class', () => {
  test('the class whose levels are furthest off comes first, small ones do not count', () => {
    const classes = new ClassCalibrations();
    const even = percentiles((share) => 1000 * share);
    for (let i = 0; i < 1000; i++) classes.add(['right'], even, i);
    for (let i = 0; i < 1000; i++) classes.add(['late'], even, Math.min(999, i + 200));
    for (let i = 1; i < LEAST_CLASS_JOBS; i++) classes.add(['small'], even, 5000);
    const [worst, right, ...others] = classes.worstFirst();
    expect(others).toEqual([]);
    expect(worst).toMatchObject({ name: 'late', jobs: 1000 });
    expect(worst?.deviationPoints).toBeCloseTo(-20, 0);
    expect(Math.abs(right?.deviationPoints as number)).toBeLessThan(0.2);
  });

  test('a right atom at 0 is right: of seven in ten waits of 0 the level of .5 covers its part', () => {
    const classes = new ClassCalibrations();
    const atom = percentiles((share) => (share <= 0.7 ? 0 : 1000 * (share - 0.7)));
    for (let i = 0; i < 1000; i++) classes.add(['atom'], atom, i < 700 ? 0 : i - 699.5);
    expect(Math.abs(classes.worstFirst()[0]?.deviationPoints as number)).toBeLessThan(1.5);
  });

  test('an atom at 0 that is forecast too small shows', () => {
    const classes = new ClassCalibrations();
    const atom = percentiles((share) => (share <= 0.2 ? 0 : 1000 * (share - 0.2)));
    for (let i = 0; i < 1000; i++) classes.add(['atom'], atom, i < 700 ? 0 : 400);
    expect(classes.worstFirst()[0]?.deviationPoints).toBeGreaterThan(15);
  });

  test('a job is in one class of each kind, by what was known at its submission', () => {
    const job = {
      ...{ nativeId: '1', user: null, queue: 'gpu', processors: 32, requestedWalltimeSeconds: null },
      ...{ submitAt: 50 * 86_400 + 7 * 3600, startAt: 1e9, endAt: 2e9, outcome: null },
    };
    const context = { processors: 100, historyFrom: 0 };
    expect(calibrationClassesOf(job, { quantileSeconds: percentiles(() => 700) }, context)).toEqual([
      'size from 1/5',
      'predicted below 1 h',
      'history below 90 days',
      'requested none',
      'queue gpu',
      'hour 6 to 11',
    ]);
  });
});

describe('errors of two predictors on the same jobs', () => {
  const errorsOf = (errorAt: (job: number) => number) => Float64Array.from({ length: 5000 }, (_, job) => errorAt(job));
  const hard = (job: number) => 100 + 90 * Math.sin(job / 300);

  test('one that errs by a tenth less everywhere has .9 with hardly any spread', () => {
    const ratio = pairedErrorRatio(
      errorsOf((job) => 0.9 * hard(job)),
      errorsOf(hard),
      1,
    );
    expect(ratio?.ratio).toBeCloseTo(0.9, 9);
    expect((ratio?.high as number) - (ratio?.low as number)).toBeLessThan(1e-9);
  });

  test('one that is better in some weeks and worse in others is not told apart', () => {
    const ratio = pairedErrorRatio(
      errorsOf((job) => hard(job) * (job % 1000 < 480 ? 1.2 : 0.8)),
      errorsOf(hard),
      1,
    );
    expect(ratio?.low).toBeLessThan(1);
    expect(ratio?.high).toBeGreaterThan(1);
  });

  test('jobs that one of them did not answer are left out, wherever they are, and no others', () => {
    const unlike = (job: number) => hard(job) * (job % 2 === 0 ? 0.5 : 1.5);
    const some = errorsOf((job) => (job % 7 === 3 ? Number.POSITIVE_INFINITY : unlike(job)));
    const others = errorsOf((job) => (job % 11 === 5 ? Number.NaN : hard(job)));
    const both = Array.from({ length: 5000 }, (_, job) => job).filter((job) => job % 7 !== 3 && job % 11 !== 5);
    const sumOf = (errorAt: (job: number) => number) => both.reduce((sum, job) => sum + errorAt(job), 0);
    const compared = pairedErrorRatio(some, others, 1);
    expect(compared?.ratio).toBeCloseTo(sumOf(unlike) / sumOf(hard), 9);
    expect(compared?.jobs).toBe(both.length);
    const gaps = errorsOf((job) => (job < 100 ? Number.POSITIVE_INFINITY : 0.9 * hard(job)));
    expect(pairedErrorRatio(gaps, errorsOf(hard), 1)).toMatchObject({ ratio: expect.closeTo(0.9, 9), jobs: 4900 });
    expect(
      pairedErrorRatio(
        gaps,
        errorsOf(() => 0),
        1,
      ),
    ).toBeNull();
  });
});

test('no other of the waits errs less relatively than the one that is said', () => {
  const waits = percentiles((share) => 10_000 * share ** 4);
  const said = leastRelativeError(waits, 600);
  const errorOf = (point: number) => waits.reduce((sum, wait) => sum + Math.abs(point - wait) / (wait + 600), 0);
  for (const other of waits) expect(errorOf(said)).toBeLessThanOrEqual(errorOf(other));
  expect(said).toBeLessThan(waits[49] as number);
  expect(leastRelativeError([0, Number.POSITIVE_INFINITY], 600)).toBe(Number.POSITIVE_INFINITY);
});
