import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readLog } from '../../../src/commands/input/read-log.ts';

const JOB = [1, 0, 10, 600, 4, -1, -1, 4, 900, -1, 1, 3, 1, -1, 1, -1, -1, -1];
const HEADER = '; UnixStartTime: 1000000\n';
const LIMITS = { maxBytes: 512 << 20, maxMilliseconds: 60_000 };

/** A log of a good job and one with another value in a field, counted from 1. */
function logWith(field: number, value: number | string): string {
  const bad = JOB.map((known, index) => (index === field - 1 ? value : known));
  return `${HEADER}${JOB.join(' ')}\n${bad.join(' ')}\n`;
}

test('a log within all bounds is read', async () => {
  expect((await readLog(HEADER + JOB.join(' '), 'input.content', LIMITS)).length).toBe(1);
  const packed = gzipSync(HEADER + `${JOB.join(' ')}\n`.repeat(1000)).toString('base64');
  expect((await readLog(packed, 'input.content', LIMITS)).length).toBe(1000);
});

test.each([
  [1, 'job number', '1e15'.replace('e15', '0'.repeat(16))],
  [2, 'submit time', `1${'0'.repeat(15)}`],
  [3, 'wait time', `1${'0'.repeat(15)}`],
  [4, 'run time', `1${'0'.repeat(15)}`],
  [5, 'allocated processors', `1${'0'.repeat(11)}`],
  [8, 'requested processors', `1${'0'.repeat(11)}`],
  [9, 'requested time', '9'.repeat(400)],
  [11, 'status', '40000'],
  [12, 'user', '4294967297'],
  [15, 'queue', '4294967297'],
])('field %i, %s, that is out of bounds is named with its line', async (field, name, value) => {
  await expect(readLog(logWith(field, value), 'input.content', LIMITS)).rejects.toMatchObject({
    name: 'CallerError',
    code: 'INVALID',
    field: 'input.content',
    message: expect.stringMatching(new RegExp(`line 3: ${name} `)),
  });
});

test.each(['abc', '-5', '1e', '9'.repeat(30)])('a UnixStartTime of %j is refused with its line', async (value) => {
  await expect(readLog(`; UnixStartTime: ${value}\n${JOB.join(' ')}`, 'input.content', LIMITS)).rejects.toMatchObject({
    code: 'INVALID',
    message: expect.stringContaining('line 1: UnixStartTime '),
  });
});

test('a gzip bomb is refused early on', async () => {
  const bomb = gzipSync(Buffer.alloc(300 << 20, '\n')).toString('base64');
  await expect(readLog(bomb, 'input.content', LIMITS)).rejects.toMatchObject({
    code: 'INVALID',
    message: expect.stringContaining('times larger'),
  });
});

test('reading has a deadline', async () => {
  const content = `${HEADER}${`${JOB.join(' ')}\n`.repeat(50_000)}`;
  await expect(readLog(content, 'input.content', { ...LIMITS, maxMilliseconds: 0 })).rejects.toMatchObject({
    code: 'INVALID',
    message: expect.stringContaining('split it'),
  });
});

test.each([
  ['binary data', 'ab\0cd\n', /line 1: this is a binary file, not a log/],
  ['what is cut off in its first line', 'JobID|User|Submit', /line 1: no column for processors/],
  ['a CSV of something else', 'job,submit,start\n1,2,3\n', /line 1: no column for processors/],
])('%s is told from a log, plain and packed', async (_what, text, says) => {
  for (const content of [text, gzipSync(text).toString('base64')]) {
    await expect(readLog(content, 'input.content', LIMITS)).rejects.toMatchObject({
      code: 'INVALID',
      message: expect.stringMatching(says),
    });
  }
});
