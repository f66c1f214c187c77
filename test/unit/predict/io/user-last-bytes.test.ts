import { expect, test } from 'vitest';
import { formatBytes } from '../../../../src/domain/bytes.ts';
import type { EndedRecord, JobOutcome } from '../../../../src/domain/job.ts';
import { READ_BYTES, restsOnSomething, WRITTEN_BYTES } from '../../../../src/predict/quantities.ts';

const REQUEST = { queue: null, processors: 1, requestedWalltimeSeconds: 60 };

function ended(user: string, readBytes: number | null, outcome: JobOutcome = 'COMPLETED'): EndedRecord {
  const use = { cpuSeconds: 1, memoryBytes: null, readBytes, writtenBytes: 0 };
  return { nativeId: '1', submitAt: 0, startAt: 10, endAt: 20, user, ...REQUEST, outcome, use };
}

function learned(...records: EndedRecord[]) {
  const predictor = READ_BYTES.predictors.get('baseline/user-last-bytes')?.();
  if (!predictor) throw new Error('not registered');
  for (const record of records) predictor.ended?.(record);
  return (user: string | null) => READ_BYTES.spreadOf(predictor.predict({ user, ...REQUEST }, null, 100));
}

test("a job reads what its user's last one did, of an unknown user what the last one did", () => {
  const saidOf = learned(ended('ann', 5e12), ended('bob', 10), ended('ann', 6e12), ended('bob', 20));
  expect(saidOf('ann').point).toBe(6e12);
  expect(saidOf('eve').point).toBe(20);
  expect(saidOf(null).sampleSize).toBeGreaterThan(0);
});

test('where a site tells no bytes, or took the job down, nothing is learned, and nothing is to be kept', () => {
  const said = learned(ended('ann', null), { ...ended('ann', 5), use: undefined }, ended('ann', 5, 'NODE_FAIL'))('ann');
  expect(said).toMatchObject({ point: Number.POSITIVE_INFINITY, sampleSize: 0 });
  const kept = { quantity: READ_BYTES.name, predictor: 'p', version: '1', madeAt: 1, observedAt: 1, ...said };
  expect(restsOnSomething(kept)).toBe(false);
  expect(restsOnSomething({ ...kept, sampleSize: 1 })).toBe(true);
});

test('what a job read and wrote is told by its end alone', () => {
  const record = ended('ann', 12);
  expect(READ_BYTES.actualOf({ kind: 'end', record })).toEqual({ nativeId: '1', submitAt: 0, value: 12 });
  expect(WRITTEN_BYTES.actualOf({ kind: 'end', record })?.value).toBe(0);
  expect(READ_BYTES.actualOf({ kind: 'start', record: { ...record, startAt: 10 } })).toBeNull();
  expect(READ_BYTES.actualOf({ kind: 'end', record: { ...record, use: undefined } })).toBeNull();
});

test('bytes in words', () => {
  const words = [0, 1, 999, 999.6, 1400, 999_499, 999_501, 2 ** 31, 5e18, 5e21].map(formatBytes);
  expect(words.slice(0, 7)).toEqual(['0 B', '1 B', '999 B', '1.00 kB', '1.40 kB', '999 kB', '1.00 MB']);
  expect(words.slice(7)).toEqual(['2.15 GB', '5.00 EB', '5.00e+3 EB']);
});
