import { expect, test } from 'vitest';
import { TAIL_BYTES, textOf, withPiece } from '../../../src/web/views/job/output-text.ts';

const piece = (bytes: Uint8Array | string, offset: number, totalBytes: number | null = null) => ({
  base64: Buffer.from(bytes).toString('base64'),
  ...{ offset, totalBytes, observedAt: '2026-11-25T12:00:00Z' },
});

test('pieces that follow each other are one text, though one of them cuts a character in two', () => {
  const [first, second] = [Buffer.from('né').subarray(0, 2), Buffer.from('né').subarray(2)];
  const text = withPiece(withPiece(undefined, piece(first, 0)), piece(second, 2, 3));
  expect(textOf(text)).toBe('né');
  expect(text).toMatchObject({ end: 3, totalBytes: 3 });
});

test('a piece that was told before begins anew, so that nothing is shown twice', () => {
  const before = withPiece(withPiece(undefined, piece('one ', 0)), piece('two', 4));
  expect(textOf(withPiece(before, piece('one two three', 0)))).toBe('one two three');
});

test('no more than the end is kept', () => {
  const long = withPiece(withPiece(undefined, piece('a'.repeat(TAIL_BYTES), 0)), piece('end', TAIL_BYTES));
  expect(long.bytes).toHaveLength(TAIL_BYTES);
  expect(textOf(long)).toMatch(/a{5}end$/);
  expect(long.totalBytes).toBe(TAIL_BYTES + 3);
});
