import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lastWords } from '../../../src/main/last-words.ts';
import { rotateLog } from '../../../src/main/log-rotation.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-words-'));
  file = join(folder, 'worker.log');
  writeFileSync(file, 'earlier\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('what was said before is not quoted, and a process that said nothing is told to have said nothing', () => {
  const { size } = statSync(file);
  expect(lastWords(file, size)).toBe('it said nothing');
  appendFileSync(file, 'own\nwords\n');
  expect(lastWords(file, size)).toBe('own\nwords');
});

test('the last lines are quoted of many', () => {
  const { size } = statSync(file);
  for (let line = 0; line < 20_000; line++) appendFileSync(file, `line ${line}\n`);
  expect(lastWords(file, size).split('\n')).toEqual(Array.from({ length: 15 }, (_, at) => `line ${19_985 + at}`));
});

test('a log that was rotated meanwhile is quoted from both its parts', () => {
  const { size } = statSync(file);
  appendFileSync(file, 'own\n');
  rotateLog(file, { maxBytes: 1, keep: 2 });
  expect(lastWords(file, size)).toBe('own');
  appendFileSync(file, 'word\n');
  expect(lastWords(file, size)).toBe('own\nword');
});

test('a log that is gone is told', () => {
  expect(lastWords(join(folder, 'none.log'), 0)).toMatch(/^its log cannot be read: ENOENT/);
});
