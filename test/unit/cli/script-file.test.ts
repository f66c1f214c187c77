import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scriptInput } from '../../../src/cli/parse/work.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-script-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function read(bytes: Uint8Array) {
  const file = join(folder, 'job.sh');
  writeFileSync(file, bytes);
  return scriptInput(file, [], undefined);
}

test('a script that is no UTF-8 is refused with its first byte that is none, and the line of that', async () => {
  const latin1 = Buffer.from('#!/bin/sh\necho grüße → \ncat donn\xe9es.txt\n', 'latin1');
  await expect(read(latin1)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/^the script ".*job.sh" is not in UTF-8: byte 0xfc in line 2$/),
    remedy: expect.stringContaining('iconv'),
  });
});

test.each([
  ['caf\xe9 \n', 1, '0xe9'],
  ['\n\n\xe9', 3, '0xe9'],
  ['ok\ndonn\xe9es', 2, '0xe9'],
  ['\xff', 1, '0xff'],
])('%j names it, though it could have begun a character', async (text, line, byte) => {
  await expect(read(Buffer.from(text, 'latin1'))).rejects.toMatchObject({
    message: expect.stringContaining(`byte ${byte} in line ${line}`),
  });
});

test('a character that is cut at the end is one that is none', async () => {
  const cut = Buffer.from('#!/bin/sh\necho ü').subarray(0, -1);
  await expect(read(cut)).rejects.toMatchObject({ message: expect.stringContaining('byte 0xc3 in line 2') });
});

test('one that is keeps every character', async () => {
  const text = '#!/bin/sh\necho "grüße → 🙂"\n';
  expect((await read(Buffer.from(text))).script).toBe(text);
});
