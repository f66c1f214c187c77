import { describe, expect, test } from 'vitest';
import type { JobRecord } from '../../../../src/domain/job.ts';
import { compositionOf } from '../../../../src/predict/checkpoint/composition.ts';
import { knownOutcomes } from '../../../../src/predict/past/known-outcomes.ts';
import { tell } from '../../../../src/predict/past/tell.ts';
import { watchPast } from '../../../../src/predict/past/watched-past.ts';
import { READ_BYTES, RUNTIME } from '../../../../src/predict/quantities.ts';
import { createPredictor } from '../../../../src/predict/registry.ts';
import { RandomStream } from '../../../../src/sim/random.ts';

const JOBS = 460;
const FEW_TREES = { trees: 30, capacity: 1000 };

/** Jobs that are alike but for what their texts say. */
function jobs(textOf: (i: number) => { readonly script: string | null; readonly name: string; readonly ran: number }) {
  return Array.from({ length: JOBS }, (_, i): JobRecord => {
    const { script, name, ran } = textOf(i);
    const submitAt = 1_000_000 + 500 * i;
    const program = { name, script, arguments: [], workFolder: null };
    const use = { cpuSeconds: null, memoryBytes: null, readBytes: 1000 * ran, writtenBytes: null };
    const size = { user: 'ann', queue: null, processors: 4, requestedWalltimeSeconds: 7200 };
    const times = { submitAt, startAt: submitAt + 5, endAt: submitAt + 5 + ran };
    return { nativeId: `${i}`, ...size, ...times, outcome: 'COMPLETED', program, use };
  });
}

function said(records: readonly JobRecord[], names: 'on' | 'off', quantity = RUNTIME) {
  const predictor = createPredictor(quantity, 'runtime/gridcast', { ...FEW_TREES, names });
  const past = watchPast(records, { processors: 64, snapshotSeconds: Number.POSITIVE_INFINITY });
  return [...knownOutcomes(quantity, predictor, past, { isAsked: (job) => job >= JOBS - 120 })];
}

function meanError(records: readonly JobRecord[], names: 'on' | 'off'): number {
  const all = said(records, names).map(({ forecast, actual }) => Math.abs(forecast.pointSeconds - actual.value));
  return all.reduce((sum, one) => sum + one, 0) / all.length;
}

describe('what is known of texts', () => {
  test('a name alone tells runtimes that nothing else does', () => {
    const random = new RandomStream(5);
    const records = jobs((i) => {
      const isLong = random.uniform() < 0.4;
      return { script: null, name: `${isLong ? 'fit' : 'plot'}-${i}`, ran: (isLong ? 3000 : 100) + ((i * 31) % 17) };
    });
    expect(meanError(records, 'on')).toBeLessThan(meanError(records, 'off') / 5);
  });

  test('so do the numbers of a script, which no earlier one had', () => {
    const records = jobs((i) => {
      const [steps, grid] = [100 + ((i * 7919) % 900), 32 * (1 + ((i * 31) % 4))];
      const script = `#!/bin/sh\ncd run\nmpirun ./solve -steps ${steps} -grid ${grid}\n`;
      return { script, name: 'solve', ran: Math.round((steps * grid ** 2) / 5000) };
    });
    const shares = said(records, 'on').map(({ forecast, actual }) => forecast.pointSeconds / actual.value);
    expect(shares.filter((share) => Math.abs(share - 1) < 0.2).length).toBeGreaterThan(0.9 * shares.length);
    expect(meanError(records, 'on')).toBeLessThan(meanError(records, 'off') / 3);
  });

  test('where there are none it is as if nobody asked for them', () => {
    const records = jobs((i) => ({ script: null, name: '', ran: 100 + ((i * 7919) % 3000) }));
    const untold = records.map(({ program: _program, use: _use, ...record }) => record);
    expect(said(untold, 'on')).toEqual(said(untold, 'off'));
  });

  test('once they decide, the trees that do without them are given up', () => {
    const bytesOf = (names: 'on' | 'off') => {
      const predictor = createPredictor(RUNTIME, 'runtime/gridcast', { ...FEW_TREES, names });
      const records = jobs((i) => ({ script: null, name: `run-${i % 3}`, ran: 100 * (1 + (i % 3)) }));
      for (const sight of watchPast(records, { processors: 64, snapshotSeconds: Number.POSITIVE_INFINITY }))
        tell(predictor, sight);
      const parts = compositionOf(predictor, 2).filter(({ path }) => path === 'byWalltime.fit');
      return parts.reduce((sum, { objectBytes, arrayBytes }) => sum + objectBytes + arrayBytes, 0);
    };
    expect(bytesOf('on')).toBeLessThan(2000);
    expect(bytesOf('off')).toBeGreaterThan(100_000);
  });

  test('hostile ones are forecast like any other', () => {
    const texts = ['', '\0'.repeat(3000), '9'.repeat(200_000), '\u202e\u05d0=1\n'.repeat(2000), '\ud800', '-\n=,;'];
    const records = jobs((i) => {
      const text = texts[i % texts.length] as string;
      return { script: text, name: text.slice(0, 5000), ran: 60 * (1 + (i % texts.length)) };
    });
    for (const { forecast } of said(records, 'on')) {
      expect(forecast.pointSeconds).toBeLessThan(7200);
      expect(forecast.quantileSeconds.every(Number.isFinite)).toBe(true);
    }
  });
});

test('bytes are forecast by texts, too, and as often below a percentile as it says', () => {
  const random = new RandomStream(6);
  const records = jobs((i) => {
    const deck = Math.floor(7 * random.uniform());
    return { script: `cat deck${'abcdefg'[deck]}.in\n`, name: 'read', ran: 10 ** (deck / 2) + ((i * 31) % 3) };
  });
  const predictor = createPredictor(READ_BYTES, 'io/gridcast', FEW_TREES);
  const past = watchPast(records, { processors: 64, snapshotSeconds: Number.POSITIVE_INFINITY });
  const known = [...knownOutcomes(READ_BYTES, predictor, past, { isAsked: (job) => job >= JOBS - 200 })];
  const near = known.filter(({ forecast, actual }) => Math.abs(Math.log(forecast.pointBytes / actual.value)) < 0.7);
  expect(near.length).toBeGreaterThan(0.9 * known.length);
  const within = known.filter(({ forecast, actual }) => actual.value <= (forecast.quantileBytes[89] as number));
  expect(within.length / known.length).toBeGreaterThan(0.8);
});
