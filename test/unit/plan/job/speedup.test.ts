import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SpeedupModel } from '../../../../src/domain/job-sizes.ts';
import { runtimeAtSize, speedupFault, speedupOn } from '../../../../src/plan/job/speedup.ts';

const amdahl = (serialShare: number): SpeedupModel => ({ kind: 'AMDAHL', serialShare });
const downey = (averageParallelism: number, sigma: number): SpeedupModel => {
  return { kind: 'DOWNEY', averageParallelism, sigma };
};

describe('speedup', () => {
  test('by Amdahl has the reciprocal of the serial share as its limit', () => {
    expect(speedupOn(amdahl(0), 64)).toBe(64);
    expect(speedupOn(amdahl(0.1), 10)).toBeCloseTo(1 / 0.19);
    expect(speedupOn(amdahl(0.1), 1e9)).toBeCloseTo(10);
    expect(speedupOn(amdahl(1), 64)).toBe(1);
  });

  test('by Downey without variance is linear up to the average parallelism', () => {
    expect(speedupOn(downey(64, 0), 32)).toBe(32);
    expect(speedupOn(downey(64, 0), 100)).toBe(64);
  });

  test('by Downey is what the paper says at low and at high variance', () => {
    expect(speedupOn(downey(64, 0.5), 32)).toBeCloseTo((64 * 32) / (64 + 0.25 * 31));
    expect(speedupOn(downey(64, 0.5), 96)).toBeCloseTo((64 * 96) / (0.5 * 63.5 + 96 * 0.75));
    expect(speedupOn(downey(64, 0.5), 127)).toBe(64);
    expect(speedupOn(downey(64, 2), 32)).toBeCloseTo((32 * 64 * 3) / (2 * (32 + 63) + 64));
    expect(speedupOn(downey(64, 2), 190)).toBe(64);
  });

  test('scales a runtime from the size it is known at', () => {
    expect(runtimeAtSize(amdahl(0), { runSeconds: 3600, processors: 8 }, 32)).toBe(900);
    expect(runtimeAtSize(amdahl(0.5), { runSeconds: 600, processors: 1 }, 4)).toBeCloseTo(600 * 0.625);
  });

  test('of a model that cannot be names the parameter', () => {
    expect(speedupFault(amdahl(1.5))).toEqual({ field: 'serialShare', problem: 'must be from 0 to 1, not 1.5' });
    expect(speedupFault(amdahl(Number.NaN))?.field).toBe('serialShare');
    expect(speedupFault(downey(0.5, 1))?.field).toBe('averageParallelism');
    expect(speedupFault(downey(8, -1))?.field).toBe('sigma');
    expect(speedupFault(downey(8, 1))).toBeNull();
    expect(() => speedupOn(downey(8, -1), 4)).toThrow('sigma must be a number from 0 on, not -1');
  });
});

const model = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }).map(amdahl),
  fc
    .tuple(fc.double({ min: 1, max: 1000, noNaN: true }), fc.double({ min: 0, max: 4, noNaN: true }))
    .map(([A, sigma]) => downey(A, sigma)),
);
const size = fc.integer({ min: 1, max: 100_000 });

describe('whatever the model', () => {
  test('more processors never run a job slower, nor faster than in proportion', () => {
    fc.assert(
      fc.property(model, size, size, (one, a, b) => {
        const [fewer, more] = [Math.min(a, b), Math.max(a, b)];
        const [slow, fast] = [speedupOn(one, fewer), speedupOn(one, more)];
        expect(fast).toBeGreaterThanOrEqual(slow * (1 - 1e-9));
        expect(fast / slow).toBeLessThanOrEqual((more / fewer) * (1 + 1e-9));
        expect(speedupOn(one, 1)).toBeCloseTo(1);
      }),
    );
  });

  test('there and back again is the same runtime', () => {
    fc.assert(
      fc.property(model, size, size, fc.integer({ min: 1, max: 1e6 }), (one, from, to, runSeconds) => {
        const there = runtimeAtSize(one, { runSeconds, processors: from }, to);
        expect(runtimeAtSize(one, { runSeconds: there, processors: to }, from) / runSeconds).toBeCloseTo(1);
      }),
    );
  });
});
