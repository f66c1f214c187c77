import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withHoldPreamble } from '../../../src/plan/hold-preamble.ts';

const SHELLS = ['/bin/sh', '/usr/bin/dash', '/usr/bin/bash'].filter((path) => existsSync(path));
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hold-preamble-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function place(script: string, holdUntilAt: number): string {
  const path = join(mkdtempSync(join(folder, 'job-')), 'job.sh');
  writeFileSync(path, withHoldPreamble(script, holdUntilAt));
  return path;
}

function run(shell: string, script: string, options: { args?: string[]; input?: string; holdUntilAt?: number } = {}) {
  const path = place(script, options.holdUntilAt ?? 0);
  return spawnSync(shell, [path, ...(options.args ?? [])], {
    input: options.input ?? '',
    env: { PATH: process.env.PATH, TMPDIR: folder },
  });
}

function leftovers(): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('gridcast.'));
}

function untilPrinted(child: { stdout: NodeJS.ReadableStream }, word: string): Promise<void> {
  return new Promise((resolve) => {
    child.stdout.on('data', (chunk) => {
      if (String(chunk).includes(word)) resolve();
    });
  });
}

test('the hold time stands on a line of its own near the beginning, rounded up', () => {
  const lines = withHoldPreamble('sleep 5\n', 1700000000.2).split('\n');
  expect(lines.slice(0, 3)).toContain('GRIDCAST_HOLD_UNTIL=1700000001');
});

test('a script with a NUL character is refused', () => {
  expect(() => withHoldPreamble('echo \0', 0)).toThrow(RangeError);
});

test('the same script gives the same text, and its delimiter occurs nowhere in it', () => {
  const script = "cat <<'GRIDCAST_END_OF_SCRIPT_0_'\nGRIDCAST_END_OF_SCRIPT_0_\nGRIDCAST_END_OF_SCRIPT_1_\n";
  expect(withHoldPreamble(script, 7)).toBe(withHoldPreamble(script, 7));
  expect(withHoldPreamble(script, 7).split('\nGRIDCAST_END_OF_SCRIPT_2_\n')).toHaveLength(2);
});

describe.each(SHELLS)('under %s', (shell) => {
  test('arguments, standard input, output and exit status are the payload’s own', () => {
    const script = '#!/bin/sh\nprintf "%s|" "$#" "$@"; cat; echo oops >&2; exit 37\n';
    const result = run(shell, script, { args: ['a b', "it's", '$HOME `date`', ''], input: 'from stdin' });
    expect(String(result.stdout)).toBe("4|a b|it's|$HOME `date`||from stdin");
    expect(String(result.stderr)).toBe('oops\n');
    expect(result.status).toBe(37);
  });

  test('the interpreter of the first line runs the payload, with its one argument', () => {
    const script = `#!${process.execPath} --no-warnings\nconsole.log(process.execArgv[0], process.argv.slice(2).join());`;
    const result = run(shell, script, { args: ['x', 'y'] });
    expect(String(result.stdout)).toBe('--no-warnings x,y\n');
  });

  test('an interpreter that does not exist gives the shell’s own status 127', () => {
    expect(run(shell, '#!/no/such/interpreter\n').status).toBe(127);
  });

  test.each([
    ['empty', ''],
    ['no last line feed', 'printf end'],
    ['quotes and expansions', `printf '%s' "a'b" '"$x"' \\$y \`echo z\` "$(echo w)"`],
    ['own heredoc', "cat <<'EOF'\n$PATH `id`\nEOF\n"],
    ['our delimiter', "cat <<'GRIDCAST_END_OF_SCRIPT_0_'\nin\nGRIDCAST_END_OF_SCRIPT_0_\nprintf after\n"],
    ['carriage returns and tabs', 'printf "a\r\tb"\n'],
    ['directives', '#!/bin/sh\n#SBATCH --nodes=99\nprintf done\n'],
    ['backslash at the end', 'printf x \\'],
    ['other alphabets', 'printf "grüße 日本 🙂"\n'],
    ['long', `${'# filler\n'.repeat(20_000)}printf long`],
  ])('%s: prints what the bare script prints', (_name, script) => {
    const bare = spawnSync('/bin/sh', ['-s'], { input: script });
    const held = run(shell, script);
    expect(String(held.stdout)).toBe(String(bare.stdout));
    expect(held.status).toBe(bare.status);
  });

  test('any text reaches the interpreter byte for byte, but for a last line feed', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 }).map((s) => s.replaceAll('\0', ''));
    fc.assert(
      fc.property(text, (body) => {
        const script = `#!/bin/cat\n${body}`;
        const expected = script.endsWith('\n') ? script : `${script}\n`;
        expect(String(run(shell, script).stdout)).toBe(expected);
      }),
      { numRuns: 25 },
    );
  });

  test.each([
    'SIGTERM',
    'SIGINT',
    'SIGHUP',
    'SIGUSR1',
    'SIGUSR2',
    'SIGQUIT',
  ] as const)('%s reaches the payload, whose answer counts', async (signal) => {
    const name = signal.slice(3);
    const script = `trap 'echo got; exit 9' ${name}\necho ready\nwhile :; do sleep 0.05; done\n`;
    const child = spawn(shell, [place(script, 0)], { env: { PATH: process.env.PATH, TMPDIR: folder } });
    const ended = new Promise((resolve) => child.on('exit', (code) => resolve(code)));
    await untilPrinted(child, 'ready');
    child.kill(signal);
    expect(await ended).toBe(9);
  });

  test('a signal that kills the payload gives 128 and its number', async () => {
    const child = spawn(shell, [place('echo ready; exec sleep 60', 0)], {
      env: { PATH: process.env.PATH, TMPDIR: folder },
    });
    const ended = new Promise((resolve) => child.on('exit', (code) => resolve(code)));
    await untilPrinted(child, 'ready');
    child.kill('SIGTERM');
    expect(await ended).toBe(143);
  });

  test('a payload that survives a signal goes on to its own end', async () => {
    const script =
      "trap 'echo again' USR1\necho ready\ni=0; while [ $i -lt 10 ]; do sleep 0.05; i=$((i+1)); done\nexit 5\n";
    const child = spawn(shell, [place(script, 0)], { env: { PATH: process.env.PATH, TMPDIR: folder } });
    const ended = new Promise((resolve) => child.on('exit', (code) => resolve(code)));
    await untilPrinted(child, 'ready');
    child.kill('SIGUSR1');
    expect(await ended).toBe(5);
  });

  test('no temporary file is left and the variables are not in the payload’s environment', () => {
    expect(String(run(shell, 'env').stdout)).not.toMatch(/^gridcast_/im);
    expect(leftovers()).toEqual([]);
  });

  test('a temporary folder that is gone is replaced by /tmp', () => {
    const path = place('echo ran', 0);
    const result = spawnSync(shell, [path], { env: { PATH: process.env.PATH, TMPDIR: '/no/such/folder' } });
    expect(result.status).toBe(0);
    expect(String(result.stdout)).toBe('ran\n');
  });

  test('where no temporary file can be made at all, 125', () => {
    const path = place('echo never', 0);
    const full = mkdtempSync(join(tmpdir(), 'full-'));
    writeFileSync(join(full, 'mktemp'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const result = spawnSync(shell, [path], { env: { PATH: `${full}:${process.env.PATH}` } });
    rmSync(full, { recursive: true });
    expect(result.status).toBe(125);
    expect(String(result.stdout)).toBe('');
  });
});

describe.concurrent.each(SHELLS)('while it holds, under %s', (shell) => {
  test('it waits until the hold time and not much longer', async ({ expect }) => {
    const holdUntilAt = Math.floor(Date.now() / 1000) + 2;
    const child = spawn(shell, [place('date +%s', holdUntilAt)], { env: { PATH: process.env.PATH, TMPDIR: folder } });
    const [said] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(Number(said) - holdUntilAt).toBeGreaterThanOrEqual(0);
    expect(Number(said) - holdUntilAt).toBeLessThanOrEqual(2);
  });

  test('TERM during the hold ends the job at once, and the payload never runs', async ({ expect }) => {
    const witness = join(folder, `witness-${shell.replaceAll('/', '-')}`);
    const script = `touch ${witness}\n`;
    const child = spawn(shell, [place(script, Math.floor(Date.now() / 1000) + 60)], {
      env: { PATH: process.env.PATH, TMPDIR: folder },
    });
    const ended = new Promise((resolve) => child.on('exit', (code) => resolve(code)));
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.kill('SIGTERM');
    expect(await ended).toBe(143);
    expect(existsSync(witness)).toBe(false);
  });

  test('USR1 during the hold is let pass', async ({ expect }) => {
    const child = spawn(shell, [place('echo ran', Math.floor(Date.now() / 1000) + 2)], {
      env: { PATH: process.env.PATH, TMPDIR: folder },
    });
    const ended = new Promise((resolve) => child.on('exit', (code) => resolve(code)));
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.kill('SIGUSR1');
    expect(await ended).toBe(0);
  });
});

test('the wrapper has no line the shell has to guess about', () => {
  for (const shell of SHELLS) {
    const path = place('echo x\n', 0);
    expect(spawnSync(shell, ['-n', path]).status).toBe(0);
    expect(readFileSync(path, 'utf8').startsWith('#!/bin/sh\n')).toBe(true);
  }
});
