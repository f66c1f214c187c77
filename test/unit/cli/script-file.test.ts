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

test('one that is keeps every character', async () => {
  const text = '#!/bin/sh\necho "grüße → 🙂"\n';
  expect((await read(Buffer.from(text))).script).toBe(text);
});
