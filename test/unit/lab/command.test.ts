import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

function lab(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', '@oxc-node/core/register', 'test/lab/main.ts', ...words],
    { encoding: 'utf8', timeout: 60_000 },
  );
  return { status, stdout, stderr };
}

test('`--help` tells what the lab can do, and starts nothing', () => {
  expect(lab('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('| compare |') });
});

test.each([
  ['a verb that there is not', ['constructor'], 'there is no constructor'],
  ['an option that there is not', ['status', '--bogus', '3'], "Unknown option '--bogus'"],
  ['a word too many', ['status', 'now'], 'status takes no now'],
  ['a service that is not said', ['compare'], 'npm run lab -- compare --url URL --token TOKEN'],
])('%s is answered in two lines', (_, words, said) => {
  const { status, stderr } = lab(...words);
  expect(status).toBe(64);
  expect(stderr).toContain(said);
  expect(stderr.trim().split('\n')).toHaveLength(2);
});
