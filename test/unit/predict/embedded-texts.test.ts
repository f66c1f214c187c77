import { expect, test } from 'vitest';
import { GRIDCAST_BYTES_DEFAULTS, GridcastBytes } from '../../../src/predict/io/gridcast-bytes.ts';
import { RUNTIME } from '../../../src/predict/quantities.ts';
import { createPredictor } from '../../../src/predict/registry.ts';
import { GRIDCAST_RUNTIME_DEFAULTS, GridcastRuntime } from '../../../src/predict/runtime/gridcast.ts';

const MODEL = { embedding: 4711 };
const SMALL = { trees: 30, fitEvery: 200 };

/** A job of a user of its own with a text of its own, which means one of two things as its number is even or odd. */
function jobOf(number: number, hasEmbedding = true) {
  const kind = number % 2;
  const embedding = Float32Array.from({ length: 32 }, (_, i) => (i === kind ? 0.98 : 0.03 * ((number * (i + 3)) % 5)));
  const text = `${(number * 2_654_435_761) >>> 0} ${number}`;
  const program = { name: `n${number}`, script: `#!/bin/sh\n./${text}\n`, arguments: [], workFolder: null };
  const seconds = kind === 0 ? 600 : 7200;
  return {
    ...{ nativeId: String(number), user: `u${number}`, queue: null, processors: 4, requestedWalltimeSeconds: 14_400 },
    ...{
      submitAt: 10_000 * number,
      startAt: 10_000 * number,
      endAt: 10_000 * number + seconds,
      outcome: 'COMPLETED' as const,
    },
    use: { cpuSeconds: null, memoryBytes: null, readBytes: null, writtenBytes: kind === 0 ? 1e6 : 1e9 },
    program: { ...program, ...(hasEmbedding && { embedding }) },
  };
}

function lived<Predictor extends GridcastRuntime | GridcastBytes>(
  predictor: Predictor,
  hasEmbedding = true,
): Predictor {
  for (let number = 0; number < 300; number++) {
    const job = jobOf(number, hasEmbedding);
    predictor.submitted(job);
    if (predictor instanceof GridcastRuntime) predictor.started(job);
    predictor.ended(job);
  }
  return predictor;
}

const [even, odd] = [jobOf(1000), jobOf(1001)];

test('texts that have nothing in common but what they mean tell runtimes and bytes apart', () => {
  const runtime = lived(new GridcastRuntime({ ...GRIDCAST_RUNTIME_DEFAULTS, ...SMALL, ...MODEL }));
  expect(runtime.predict(even, null, 1e7).pointSeconds).toBeCloseTo(600, -2);
  expect(runtime.predict(odd, null, 1e7).pointSeconds).toBeCloseTo(7200, -3);
  const written = lived(new GridcastBytes('writtenBytes', { ...GRIDCAST_BYTES_DEFAULTS, ...SMALL, ...MODEL }));
  expect(written.predict(even, null, 1e7).pointBytes).toBeCloseTo(1e6, -5);
  expect(written.predict(odd, null, 1e7).pointBytes).toBeCloseTo(1e9, -8);
  const unmeant = runtime.predict(jobOf(1000, false), null, 1e7);
  expect(unmeant.quantileSeconds.every(Number.isFinite)).toBe(true);
});

test('without the setting, what texts mean changes no forecast', () => {
  const saidBy = (hasEmbedding: boolean) => {
    const runtime = lived(new GridcastRuntime({ ...GRIDCAST_RUNTIME_DEFAULTS, ...SMALL }), hasEmbedding);
    const written = lived(new GridcastBytes('writtenBytes', { ...GRIDCAST_BYTES_DEFAULTS, ...SMALL }), hasEmbedding);
    return [1000, 1001].map((number) => {
      const job = jobOf(number, hasEmbedding);
      return [runtime.predict(job, null, 1e7), written.predict(job, null, 1e7)];
    });
  };
  expect(saidBy(true)).toEqual(saidBy(false));
});

test('the setting is the number of a model, so that what was learned by another one is not taken up', () => {
  expect(createPredictor(RUNTIME, 'runtime/gridcast', MODEL).name).toBe('runtime/gridcast');
  expect(() => createPredictor(RUNTIME, 'runtime/gridcast', { embedding: 0.5 })).toThrow(/embedding .* whole number/);
});
