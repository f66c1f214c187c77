import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Rejected } from '../../../src/domain/failures.ts';
import { publicWords } from '../../../src/flow/public-words.ts';
import { scopeOfRefusal } from '../../../src/plan/refusals.ts';

const REFUSALS = readFileSync('test/fixtures/slurm/sbatch-failures.tsv', 'utf8')
  .split('\n')
  .map((line) => line.split('\t'))
  .filter(([kind, name]) => kind === 'final' && name !== 'rej-noscript')
  .map(([, name = '', words = '']) => [name, words.replaceAll(' | ', '\n')] as const);

test.each(REFUSALS)('what Slurm says of a job is told to its owner, and means the same then: %s', (_name, words) => {
  const told = publicWords(new Rejected(words, words));
  expect(told).not.toMatch(/^REFUSED/);
  expect(scopeOfRefusal(told)).toBe(scopeOfRefusal(words));
});

test.each([
  'ssh: /etc/ssh/ssh_config line 3: Bad configuration option: nosuch',
  'sbatch: fatal: Unable to process configuration file',
])('what clients say of their files is not: %s', (words) => {
  expect(publicWords(new Rejected(words, words))).not.toContain(words);
});
