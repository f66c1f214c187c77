import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { createIdleWorld, WORK } from '../flow/usual-work.ts';
import { runCli } from './run-cli.ts';

afterEach(() => vi.unstubAllEnvs());

test('`gridcast restored` has all open jobs sought, and says how many', async () => {
  const world = await createIdleWorld(19, 'east');
  try {
    const job = { ...WORK, name: 'open', siteIds: [], deadlineAt: null };
    const { executionId } = await submitJob(world.commands, world.principal, job);
    vi.stubEnv('DATABASE_URL', world.url);
    const said = await runCli('restored');
    expect(said).toMatchObject({ exitCode: 0, stderr: '' });
    expect(said.stdout).toBe('1 open job is looked for at the sites before anything is handed in again\n');
    const { soughtSince } = await world.database.db.execution.findUniqueOrThrow({ where: { id: executionId } });
    expect(Math.abs((soughtSince?.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
  } finally {
    await world.close();
  }
});

test('it needs a database', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gridcast-none-'));
  vi.stubEnv('GRIDCAST_DATA', folder);
  vi.stubEnv('DATABASE_URL', '');
  const said = await runCli('restored');
  rmSync(folder, { recursive: true });
  expect(said.exitCode).toBe(3);
  expect(said.stderr).toContain('no database');
});
