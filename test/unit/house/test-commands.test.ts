import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { LONGEST } from '../../longest-first.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const RUN_TESTS = join(ROOT, '.ci/run-tests');
const COUNTS = (passed: number, failed: number, skipped: number) =>
  `echo '${passed} passed, ${failed} failed, ${skipped} skipped'`;

/** Our environment for a run of its own. */
function withoutVitest(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST$)/.test(name)));
}

/** The files that a script of package.json would run, by vitest's own word. */
function filesOf(script: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const [, projects = ''] = / && vitest run ((?:--project \S+ ?)+)$/.exec(scripts[script] ?? '') ?? [];
  expect(projects, script).not.toBe('');
  const list = `node_modules/.bin/vitest list --filesOnly --json ${projects}`;
  const { stdout, stderr } = spawnSync(list, { cwd: ROOT, shell: true, encoding: 'utf8', env: withoutVitest() });
  expect(stdout, stderr).toMatch(/^\[/);
  return (JSON.parse(stdout) as { file: string }[]).map(({ file }) => file);
}

test('every test is run by one command, which its name tells', () => {
  const there = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(ROOT, 'test', name));
  const [claims, thorough, nightly] = [filesOf('test'), filesOf('test:thorough'), filesOf('test:nightly')];
  expect([...claims, ...thorough, ...nightly].sort()).toEqual(there.sort());
  expect(LONGEST.filter((name) => !there.some((file) => file.endsWith(name)))).toEqual([]);
  expect(thorough.sort()).toEqual(there.filter((name) => name.endsWith('.thorough.test.ts')));
  expect(nightly.sort()).toEqual(there.filter((name) => name.endsWith('.nightly.test.ts')));
});

function runTests(args: string[], environment: Record<string, string> = {}) {
  const { status, stdout } = spawnSync('bash', [RUN_TESTS, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  });
  return { isWell: status === 0, lastLine: stdout.trim().split('\n').at(-1), stdout };
}

test('CI sums the counts of its runs', () => {
  expect(runTests([COUNTS(3, 0, 1), COUNTS(4, 0, 2)])).toMatchObject({
    isWell: true,
    lastLine: '7 passed, 0 failed, 3 skipped',
  });
  expect(runTests([`${COUNTS(3, 2, 1)}; exit 1`, COUNTS(4, 0, 2)])).toMatchObject({
    isWell: false,
    lastLine: '7 passed, 2 failed, 3 skipped',
  });
  expect(runTests(['--failed', '1', COUNTS(3, 0, 1)])).toMatchObject({
    isWell: false,
    lastLine: '3 passed, 1 failed, 1 skipped',
  });
});

test('a run that crashes, says nothing or does not end is a failure, and the next one runs', () => {
  for (const broken of ['exit 0', 'exit 7', 'kill -9 $$', 'sleep 600', `${COUNTS(0, 0, 0)}; exit 1`]) {
    const { isWell, lastLine, stdout } = runTests([broken, COUNTS(4, 0, 2)], { TEST_SECONDS: '1' });
    expect({ isWell, lastLine }, broken).toEqual({ isWell: false, lastLine: '4 passed, 1 failed, 2 skipped' });
    expect(stdout).toContain(` of ${broken}\n`);
  }
});

test('what failed stands at the end, however much was printed since', () => {
  const { stdout } = runTests([`echo 'failed: a.test.ts > adds: 1 is 2'; ${COUNTS(3, 1, 0)}; exit 1`, COUNTS(4, 0, 2)]);
  expect(stdout.trim().split('\n').slice(-2)).toEqual([
    'failed: a.test.ts > adds: 1 is 2',
    '7 passed, 1 failed, 2 skipped',
  ]);
});

test('a run names its failed tests, with the first line of why', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gridcast-count-'));
  try {
    writeFileSync(join(folder, 'broken.test.ts'), 'throw new Error("does not load\\nat all");');
    writeFileSync(
      join(folder, 'wrong.test.ts'),
      `describe('sums', () => test('adds', () => expect(1).toBe(2)));
       test('is well', () => undefined);`,
    );
    const command = `${join(ROOT, 'node_modules/.bin/vitest')} run --globals --reporter ${join(ROOT, 'test/count-reporter.ts')}`;
    const { stdout } = spawnSync(command, { cwd: folder, shell: true, encoding: 'utf8', env: withoutVitest() });
    expect(stdout.trim().split('\n')).toEqual([
      'failed: broken.test.ts: does not load',
      'failed: wrong.test.ts > sums > adds: expected 1 to be 2 // Object.is equality',
      '1 passed, 2 failed, 0 skipped',
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('counts are printed when CI is stopped in the middle', async () => {
  const ci = spawn('bash', [RUN_TESTS, COUNTS(3, 0, 1), 'echo begun; sleep 600'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  for await (const chunk of ci.stdout) {
    printed += chunk;
    if (!ci.killed && printed.includes('\nbegun\n')) ci.kill('SIGTERM');
  }
  expect(printed.trim().split('\n').at(-1)).toBe('3 passed, 1 failed, 1 skipped');
});
