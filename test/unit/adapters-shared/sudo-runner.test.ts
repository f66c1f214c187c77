import { expect, test } from 'vitest';
import { refusalOfSudo } from '../../../adapters/shared/sudo-runner.ts';

const result = (stderr: string, exitCode = 1) => ({ exitCode, stdout: '', stderr });

test.each([
  'sudo: a password is required',
  'sudo: unknown user nosuchuser',
  'sudo: account validation failure, is your account locked?',
  'sudo: Account expired or PAM config lacks an "account" section for sudo, contact your system administrator',
  'sudo: PAM account management error: Authentication service cannot retrieve authentication info',
  'sudo: sorry, you must have a tty to run sudo',
  'gridcast is not in the sudoers file.',
])('%s: the program never began', (words) => {
  expect(refusalOfSudo(result(`${words}\nsudo: error initializing audit plugin sudoers_audit\n`))).toBe(words);
});

test('the command that it repeats is not handed on', () => {
  const words = "Sorry, user gridcast is not allowed to execute '/usr/bin/env KEY=secret sbatch' as bob on login1.\n";
  expect(refusalOfSudo(result(words))).toBe('Sorry, user gridcast is not allowed to execute it');
});

test('what a program says, and what sudo only warns of, is the result of the program', () => {
  const warned = 'sudo: unable to resolve host login1: Name or service not known\n';
  expect(refusalOfSudo(result(`${warned}sbatch: error: Invalid partition name specified\n`))).toBeNull();
  expect(refusalOfSudo(result(warned))).toBeNull();
  expect(refusalOfSudo(result('sudo: a password is required\n', 0))).toBeNull();
});
