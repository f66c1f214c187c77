import { expect, test, vi } from 'vitest';
import type { EndedRecord } from '../../../../src/domain/job.ts';
import { RollingFit } from '../../../../src/predict/online/rolling-fit.ts';
import { GridcastRuntime } from '../../../../src/predict/runtime/gridcast.ts';

const program = { name: 'wave', script: '#!/bin/sh\nwave 7', arguments: [], workFolder: null };

function tell(predictor: GridcastRuntime, from: number, count: number, text: object): void {
  for (let i = from; i < from + count; i++) {
    const submitAt = 1_000_000 + 1000 * i;
    const size = { user: `u${i % 5}`, queue: null, processors: 4, requestedWalltimeSeconds: 3600 };
    const job = { nativeId: `${i}`, ...size, submitAt, ...text };
    predictor.submitted(job);
    const times = { startAt: submitAt + 10, endAt: submitAt + 100 + (i % 7) };
    predictor.ended({ ...job, ...times, outcome: 'COMPLETED' } as EndedRecord);
  }
}

test('texts that are first known after its fits were left to others are not fitted to either', () => {
  const begin = vi.spyOn(RollingFit.prototype as unknown as { begin(): void }, 'begin');
  const predictor = new GridcastRuntime();
  tell(predictor, 0, 300, {});
  expect(begin).toHaveBeenCalled();
  predictor.leaveFitsToOthers();
  begin.mockClear();
  tell(predictor, 300, 900, { program });
  expect(begin).not.toHaveBeenCalled();
  begin.mockRestore();
});
