import { expect, test } from 'vitest';
import { expandHostlist } from '../../../adapters/slurm/hostlist.ts';

test.each([
  ['alpha1', ['alpha1']],
  ['n[1-3,7]', ['n1', 'n2', 'n3', 'n7']],
  ['n[08-10]', ['n08', 'n09', 'n10']],
  ['n[01-02],login,m[3]', ['n01', 'n02', 'login', 'm3']],
  ['rack[0-1]n[1-2]-ib', ['rack0n1-ib', 'rack0n2-ib', 'rack1n1-ib', 'rack1n2-ib']],
  ['', []],
  ['(null)', []],
])('the list %s', (text, names) => {
  expect(expandHostlist(text)).toEqual(names);
});

test.each(['n[1-2', 'n[a-b]', 'n[3-1]', 'n]', 'n[1,,2]', 'a,,b', 'n[1-2]m['])('%s is no list', (text) => {
  expect(() => expandHostlist(text)).toThrow('cannot be read');
});

test.each([
  'n[1-100001]',
  'n[0-999999999]',
  'n[1-1000]m[1-1000]',
  'a[1-60000],b[1-60000]',
])('%s has too many names to be believed', (text) => {
  expect(() => expandHostlist(text)).toThrow(RangeError);
});
