import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freePort } from '../../src/main/free-port.ts';
import { Daemons } from '../lab/daemons.ts';
import { labMissing } from '../lab/lab.ts';
import { startDatabase } from '../lab/slurm/database.ts';

const missing = labMissing({
  clusters: [{ name: 'kept', nodes: 1, processorsPerNode: 1, accounting: true, rest: false }],
});
let folder: string;
beforeEach(() => {
  folder = mkdtempSync('/tmp/gridcast-database-');
  chmodSync(folder, 0o755);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test('the database of accounting starts where nobody else may write temporary files', async ({ skip }) => {
  if (missing) skip(missing);
  vi.stubEnv('TMPDIR', mkdtempSync(join(folder, 'private-')));
  const daemons = new Daemons(folder);
  try {
    await startDatabase(daemons, await freePort());
    expect(daemons.isAlive('mariadbd')).toBe(true);
  } finally {
    await daemons.kill('mariadbd');
  }
});
