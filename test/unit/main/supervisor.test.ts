import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSupervisor, type Supervisor } from '../../../src/main/supervisor.ts';

let folder: string;
let supervisor: Supervisor;
let logged: Record<string, unknown>[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-supervised-'));
  writeFileSync(join(folder, 'worker.log'), 'words of an earlier process\n');
  logged = [];
  const logger = pino({ level: 'error' }, { write: (line: string) => logged.push(JSON.parse(line)) });
  supervisor = createSupervisor({ logFolder: folder, logger, onChange: () => undefined });
});
afterEach(async () => {
  await supervisor.stop();
  rmSync(folder, { recursive: true });
});

/** A worker that does this in place of its work. */
function start(instead: string) {
  const script = join(folder, 'instead.cjs');
  writeFileSync(script, instead);
  return supervisor.start({ name: 'worker', arguments: [], environment: { NODE_OPTIONS: `--require ${script}` } });
}

test('one that ends without a word before it is ready is not told to have said what others said', async () => {
  await expect(start('process.exit(3)')).rejects.toThrow(
    /^worker ended \(exit 3\) before it was ready:\nit said nothing$/,
  );
});

test('one that says why is quoted', async () => {
  const said = start("process.stderr.write('no luck\\n', () => process.exit(3))");
  await expect(said).rejects.toThrow(/^worker ended \(exit 3\) before it was ready:\nno luck$/);
});

test('one that was ready once is quoted a single time in the log', async () => {
  const flag = JSON.stringify(join(folder, 'flag'));
  await start(`
    const { existsSync, writeFileSync } = require('node:fs');
    if (existsSync(${flag})) { console.error('no luck'); process.exit(3); }
    writeFileSync(${flag}, '');
    process.send({ ready: true, url: 'http://here' }, () => process.exit(3));
  `);
  await vi.waitFor(() => expect(logged).not.toEqual([]), 20_000);
  expect(logged[0]).toMatchObject({
    process: 'worker',
    said: 'no luck',
    msg: 'worker ended (exit 3) before it was ready',
  });
  expect(JSON.stringify(logged[0]).match(/no luck/g)).toHaveLength(1);
});
