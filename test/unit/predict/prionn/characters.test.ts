import fc from 'fast-check';
import { expect, test } from 'vitest';
import { charactersOf, SHAPES } from '../../../../src/predict/prionn/characters.ts';
import { jobText } from '../../../../src/predict/prionn/job-text.ts';

function rowsOf(codes: Uint8Array, side: number): string[] {
  return Array.from({ length: side }, (_, row) => String.fromCharCode(...codes.subarray(row * side, (row + 1) * side)));
}

test('lines lie below each other, cropped and padded with spaces', () => {
  const rows = rowsOf(charactersOf('#!/bin/sh\r\necho a very long line of text\n\nx', '2d', 16), 16);
  expect(rows.slice(0, 5)).toEqual([
    '#!/bin/sh       ',
    'echo a very long',
    ' '.repeat(16),
    `x${' '.repeat(15)}`,
    ' '.repeat(16),
  ]);
  expect(rows).toHaveLength(16);
  const many = Array.from({ length: 40 }, (_, i) => `${i}`).join('\n');
  expect(rowsOf(charactersOf(many, '2d', 16), 16).at(-1)).toBe(`15${' '.repeat(14)}`);
});

test('as a sequence lines follow on each other', () => {
  expect(rowsOf(charactersOf('ab\ncd\r\n\nef', '1d', 16), 16)[0]).toBe(`abcdef${' '.repeat(10)}`);
  expect(rowsOf(charactersOf('x'.repeat(1000), '1d', 16), 16)).toEqual(new Array(16).fill('x'.repeat(16)));
});

test.each(SHAPES)('%s: of a hostile text there are as many ASCII codes as of any other', (shape) => {
  const hostile = ['\0'.repeat(1_000_000), '\n'.repeat(1_000_000), '\u202Eabc', '\uD800', 'é'.repeat(99), ''];
  const units = fc.array(fc.nat(0xffff), { maxLength: 5000 });
  const text = fc.oneof(
    fc.constantFrom(...hostile),
    units.map((codes) => String.fromCharCode(...codes)),
  );
  fc.assert(
    fc.property(text, (script) => {
      const codes = charactersOf(script, shape, 64);
      expect(codes).toHaveLength(4096);
      expect(codes.every((code) => code < 128)).toBe(true);
    }),
    { numRuns: 40 },
  );
});

test('the text of a job is its script; else its name and accounting, each in its line', () => {
  const job = { user: 'ann', queue: null, processors: 4, requestedWalltimeSeconds: 600, account: 'phys' };
  const program = { name: 'lammps', script: null, arguments: ['-in', 'a.in'], workFolder: '/w' };
  expect(jobText({ ...job, program: { ...program, script: 'echo' } })).toBe('echo');
  expect(jobText({ ...job, program })).toBe('lammps\nann\n\nphys\n\n4\n600\n/w\n-in\na.in');
  expect(jobText(job)).toBe('\nann\n\nphys\n\n4\n600\n');
});
