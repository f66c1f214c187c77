import { expect, test } from 'vitest';
import { expiresAt } from '../../../adapters/slurm/token.ts';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a token says when it expires', () => {
  expect(expiresAt(`${encode({ alg: 'HS256' })}.${encode({ exp: 1795286777, sun: 'alice' })}.signature\n`)).toBe(
    1795286777,
  );
});

test.each(['', 'expired', 'a.b.c', `x.${encode({ sun: 'alice' })}.y`])('or it does not: %j', (token) => {
  expect(expiresAt(token)).toBeNull();
});
