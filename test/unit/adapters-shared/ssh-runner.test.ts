import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { afterMark, readMarked, remoteLine } from '../../../adapters/shared/ssh-runner.ts';
import { shellWord, shellWords } from '../../../src/domain/shell-word.ts';

const MARK = 'gridcast-mark';
const text = fc.string({ unit: 'binary', maxLength: 200 }).map((drawn) => drawn.replaceAll('\0', ''));

describe.each(['/bin/sh', '/bin/bash'])('the line for a login shell, read by %s', (shell) => {
  const say = (line: string, stdin = '') => {
    const { status, stdout, stderr } = spawnSync(shell, ['-c', line], {
      encoding: 'utf8',
      input: afterMark(MARK, stdin),
    });
    return { exitCode: status ?? -1, stdout, stderr };
  };

  test('gives the program its words byte for byte', () => {
    const script = 'process.stdout.write(JSON.stringify([process.argv.slice(1), process.env.COLOUR]))';
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), text, (words, colour) => {
        const line = remoteLine([process.execPath, '-e', script, '--', ...words], { COLOUR: colour }, MARK, 60);
        const answer = readMarked(say(line), MARK);
        expect(JSON.parse(answer?.stdout ?? 'null')).toEqual([words, colour]);
      }),
      { numRuns: 25 },
    );
  });

  test('tells the status, whatever start-up files say', () => {
    const line = `echo welcome; echo hello >&2; ${remoteLine(['sh', '-c', 'echo out; echo err >&2; exit 7'], {}, MARK, 60)}`;
    const result = say(line);
    expect(result.exitCode).toBe(7);
    expect(readMarked(result, MARK)).toMatchObject({ exitCode: 7, stdout: 'out\n', stderr: 'hello\nerr\n' });
  });

  test('tells the time there, and goes on where it cannot be told', () => {
    const line = remoteLine(['true'], {}, MARK, 60);
    const before = Math.floor(Date.now() / 1000);
    const startedAt = readMarked(say(line), MARK)?.startedAt;
    expect(startedAt).toBeGreaterThanOrEqual(before);
    expect(startedAt).toBeLessThanOrEqual(Date.now() / 1000);
    for (const clock of ['return 127', 'echo Sun Nov 22; echo oops >&2', 'echo -5', ':']) {
      const told = readMarked(say(`date() { ${clock}; }; ${line}`), MARK);
      expect(told).toEqual({ exitCode: 0, stdout: '', stderr: '', startedAt: null });
    }
  });

  test('passes the input on', () => {
    expect(readMarked(say(remoteLine(['cat'], {}, MARK, 60), 'a\nb'), MARK)?.stdout).toBe('a\nb');
  });

  test.each(['read line', 'cat >/dev/null'])('gives a program no input of which `%s` has had some', (greedy) => {
    const { exitCode, stdout, stderr } = say(`${greedy}; ${remoteLine(['cat'], {}, MARK, 60)}`, '#!/bin/sh\necho\n');
    expect(stdout).not.toContain('echo');
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: `\n${MARK} swallowed\n` });
  });
});

test('input of bytes follows its mark as it is', () => {
  expect([...afterMark('m', new Uint8Array([0, 255, 10]))]).toEqual([109, 10, 0, 255, 10]);
});

test('an answer without its end is no answer', () => {
  expect(readMarked({ exitCode: 255, stdout: `${MARK} 1\n12345\n`, stderr: '' }, MARK)).toBeNull();
  expect(readMarked({ exitCode: 0, stdout: '', stderr: `\n${MARK} 0\n` }, MARK)).toBeNull();
});

test('words are quoted whether they need it or not', () => {
  expect(shellWord("it's")).toBe(`'it'\\''s'`);
  expect(shellWords(['a', ''])).toBe(`'a' ''`);
});
