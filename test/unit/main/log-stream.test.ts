import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const PROGRAM = `
import { LogStream } from './src/main/log-stream.ts';
const log = new LogStream(2);
const lines = Number(process.argv[1]);
for (let i = 0; i < lines; i++) log.write(JSON.stringify({ i, text: 'x'.repeat(200) }) + '\\n');
setTimeout(() => { log.write('{"i":"last"}\\n'); process.exit(7); }, 300);
`;
const command = (lines: number) => [
  '--import',
  '@oxc-node/core/register',
  '--input-type=module',
  '-e',
  PROGRAM,
  `${lines}`,
];

test('a log that cannot be written holds nobody up, and ends nobody', () => {
  const full = openSync('/dev/full', 'w');
  const { status, signal } = spawnSync(process.execPath, command(1000), {
    stdio: ['ignore', 'ignore', full],
    timeout: 20_000,
  });
  closeSync(full);
  expect({ status, signal }).toEqual({ status: 7, signal: null });
});

test('every line is in a file, the last before the exit too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-'));
  const file = openSync(join(folder, 'log'), 'w');
  spawnSync(process.execPath, command(2000), { stdio: ['ignore', 'ignore', file], timeout: 20_000 });
  closeSync(file);
  const lines = readFileSync(join(folder, 'log'), 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).i)).toEqual([...Array.from({ length: 2000 }, (_, i) => i), 'last']);
  rmSync(folder, { recursive: true });
});

test('who reads slowly gets all of it, and who never reads holds nobody up', async () => {
  const child = spawn(process.execPath, command(2000), { stdio: ['ignore', 'ignore', 'pipe'] });
  let read = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    read += text;
  });
  await once(child, 'close');
  expect(read.trimEnd().split('\n')).toHaveLength(2001);
  const unread = spawn(process.execPath, command(2000), { stdio: ['ignore', 'ignore', 'pipe'] });
  unread.stderr.pause();
  const [status] = await once(unread, 'exit');
  expect(status).toBe(7);
});
