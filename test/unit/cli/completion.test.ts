import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { completionScript } from '../../../src/cli/commands/completion.ts';
import { buildProgram } from '../../../src/cli/program.ts';

/** What bash offers for a line whose last word is being written. */
function offered(...line: string[]): string[] {
  const words = ['gridcast', ...line].map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${words}); COMP_CWORD=${line.length}; _gridcast; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const script = `${completionScript(buildProgram(), 'bash')}\n${ask}\n`;
  return execFileSync('bash', ['--norc'], { input: script, encoding: 'utf8' }).split('\n').filter(Boolean);
}

describe('bash completes', () => {
  test('commands', () => {
    expect(offered('')).toEqual(expect.arrayContaining(['submit', 'reserve', 'watch', 'completion', '--json']));
    expect(offered('wat')).toEqual(['watch']);
  });

  test('the options of the command that was written', () => {
    expect(offered('reserve', '--if')).toEqual(['--if-missed']);
    expect(offered('reserve', 'job.sh', '--at', '+6h', '--dry')).toEqual(['--dry-run']);
    expect(offered('submit', '--window')).toEqual([]);
  });

  test('subcommands and their options', () => {
    expect(offered('sites', 'dr')).toEqual(['drain']);
    expect(offered('sites', 'drain', '--un')).toEqual(['--undo']);
    expect(offered('--json', 'sites', 'reg')).toEqual(['register']);
  });

  test('options that every command takes', () => {
    expect(offered('status', '--tok')).toEqual(['--token']);
  });
});

test('zsh goes by the script of bash, fish has a line for every word', () => {
  const zsh = completionScript(buildProgram(), 'zsh');
  expect(zsh).toMatch(/^#compdef gridcast\n.*bashcompinit/);
  const fish = completionScript(buildProgram(), 'fish').split('\n');
  expect(fish).toContainEqual(
    expect.stringMatching(
      /^complete -c gridcast -n '__fish_seen_subcommand_from sites; and not __fish_seen_subcommand_from list .*' -f -a drain /,
    ),
  );
  expect(fish).toContainEqual(
    expect.stringMatching(/^complete -c gridcast -n '__fish_seen_subcommand_from reserve' -l if-missed -d /),
  );
});

test('another shell is refused', () => {
  expect(() => completionScript(buildProgram(), 'tcsh')).toThrow(expect.objectContaining({ exitCode: 2 }));
});
