import { expect, test } from 'vitest';
import type { JobRecord } from '../../../src/domain/job.ts';
import { readCheckpoint, writeCheckpoint } from '../../../src/predict/checkpoint/checkpoint.ts';
import type { RuntimePredictor } from '../../../src/predict/predictor.ts';
import { RUNTIME } from '../../../src/predict/quantities.ts';
import { createPredictor } from '../../../src/predict/registry.ts';

/** Runtimes that a job's name tells, and nothing else of it. */
function namedRecord(i: number): JobRecord {
  const submitAt = 600 * i;
  const runSeconds = 60 + 600 * (i % 7);
  return {
    ...{ nativeId: String(i), user: `user-${i % 3}`, queue: null, processors: 4, requestedWalltimeSeconds: 7200 },
    program: { name: `step-${i % 7}`, script: null, arguments: [], workFolder: null },
    ...{ submitAt, startAt: submitAt + 5, endAt: submitAt + 5 + runSeconds, outcome: 'COMPLETED' as const },
  };
}

function tellAll(predictor: RuntimePredictor, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const { startAt: _, endAt: __, outcome: ___, ...job } = namedRecord(i);
    predictor.submitted?.(job);
    predictor.started?.({ ...namedRecord(i), endAt: null, outcome: null } as never);
    predictor.ended?.(namedRecord(i) as never);
  }
}

test('what names of jobs have told is kept: restored it says what one says that has watched all along', () => {
  const create = () => createPredictor(RUNTIME, 'runtime/gridcast') as RuntimePredictor;
  const watched = create();
  tellAll(watched, 0, 700);
  const restored = readCheckpoint(writeCheckpoint(watched, {}), create());
  const said = (predictor: RuntimePredictor, at: number) =>
    [0, 3, 6].map((i) => predictor.predict(namedRecord(at + i), null, 600 * at));
  expect(said(restored, 700)).toEqual(said(watched, 700));
  for (const predictor of [restored, watched]) tellAll(predictor, 700, 1200);
  expect(said(restored, 1200)).toEqual(said(watched, 1200));
  const [short, long] = [watched.predict(namedRecord(1204), null, 7e5), watched.predict(namedRecord(1203), null, 7e5)];
  expect(short.pointSeconds).not.toBe(long.pointSeconds);
});
