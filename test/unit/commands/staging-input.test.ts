import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/commands/carry-out/context.ts';
import { FaultList, faultsOf } from '../../../src/commands/input/faults.ts';
import { checkStagedTasks, checkStaging, type StagedInput } from '../../../src/commands/input/staging-input.ts';
import { CallerError } from '../../../src/domain/failures.ts';
import { publicAddress, type StageRequest, stagedForTask } from '../../../src/domain/staging.ts';

const URL_IN = 'https://store.example/a?X-Signature=secret';

function faultsIn(staging: Partial<StageRequest>, others: Partial<StagedInput> = {}): string[] {
  const faults = new FaultList();
  checkStaging(faults, { staging: { in: [], out: [], folder: 'REMOVE', ...staging }, ...others }, DEFAULT_LIMITS);
  return told(() => faults.assertNone());
}

function told(check: () => void): string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof CallerError)) throw error;
    return faultsOf(error).map(({ field, message }) => `${field}: ${message}`);
  }
}

test('files may come from URLs and paths of the site, and go to URLs', () => {
  const into = [
    { from: URL_IN, to: 'data/a.bin', bytes: 0, sha256: 'ab'.repeat(32) },
    { from: '/data/set one/b', to: 'b' },
    { from: 'http://[2001:db8::1]:9000/c', to: 'größe' },
  ];
  expect(faultsIn({ in: into, out: [{ from: 'out/r', to: 'https://store.example/r' }] })).toEqual([]);
  expect(faultsIn({ in: [] }, { workFolder: '/x' })).toHaveLength(1);
});

test.each([
  '',
  '/etc/passwd',
  '../a',
  'a/../b',
  'a//b',
  'a/',
  './a',
  'a\nb',
  'a\0b',
  `${'x'.repeat(256)}`,
  `${'a/'.repeat(16)}a`,
  '\ud800',
  '.',
  '..',
])('%j is no path below a folder', (path) => {
  expect(faultsIn({ in: [{ from: URL_IN, to: path }] })[0]).toContain('input.stageIn[0].to');
  expect(faultsIn({ out: [{ from: path, to: URL_IN }] })[0]).toContain('input.stageOut[0].from');
});

test.each([
  'ftp://a/b',
  'file:///etc/passwd',
  'a/b',
  'https://user:s3cret@a/b',
  'https://a/b#c',
  'https://',
  'https://a/b c',
  `https://a/${'x'.repeat(4096)}`,
  'gopher://a',
])('%j is no address, and is not told back', (address) => {
  for (const told of [
    faultsIn({ in: [{ from: address, to: 'a' }] }),
    faultsIn({ out: [{ from: 'a', to: address }] }),
  ]) {
    expect(told).toHaveLength(1);
    expect(told[0]).not.toContain('s3cret');
  }
});

test('a path of a site leads nowhere else', () => {
  expect(faultsIn({ in: [{ from: '/data/../etc/passwd', to: 'a' }] })[0]).toContain('input.stageIn[0].from');
  expect(faultsIn({ out: [{ from: 'a', to: '/data/a' }] })[0]).toContain('input.stageOut[0].to');
});

test('files have places of their own', () => {
  const at = (...places: string[]) => faultsIn({ in: places.map((to) => ({ from: URL_IN, to })) });
  expect(at('a', 'b', 'a')[0]).toContain('input.stageIn[2].to');
  expect(at('a/b', 'a')[0]).toContain('input.stageIn[0].to');
  expect(at('a/b', 'a-b', 'a/c')).toEqual([]);
  const out = [
    { from: 'a', to: URL_IN },
    { from: 'b', to: URL_IN },
  ];
  expect(faultsIn({ out })[0]).toContain('input.stageOut[1].to');
});

test('number and sizes are limited, and stated figures are figures', () => {
  const files = (count: number, bytes?: number) =>
    Array.from({ length: count }, (_, index) => ({
      from: URL_IN,
      to: `f${index}`,
      ...(bytes !== undefined && { bytes }),
    }));
  expect(faultsIn({ in: files(64) })).toEqual([]);
  expect(faultsIn({ in: files(64), out: [{ from: 'a', to: URL_IN }] })[0]).toContain('65 files');
  expect(faultsIn({ in: files(1, -1) })[0]).toContain('input.stageIn[0].bytes');
  expect(faultsIn({ in: files(1, 1.5) })[0]).toContain('input.stageIn[0].bytes');
  expect(faultsIn({ in: files(1, 17 * 2 ** 30) })[0]).toContain('input.stageIn[0].bytes');
  expect(faultsIn({ in: files(5, 16 * 2 ** 30) })[0]).toContain('together');
  expect(faultsIn({ in: [{ from: URL_IN, to: 'a', sha256: 'xyz' }] })[0]).toContain('input.stageIn[0].sha256');
});

test('staging goes with no job that is promised or submitted ahead', () => {
  const into = [{ from: URL_IN, to: 'a' }];
  const [promised, ...others] = faultsIn({ in: into }, { finishBy: {} });
  expect(promised).toMatch(
    /^input\.finishBy: .*promised to finish, and 1 are asked for; leave finishBy out, or .*workFolder/,
  );
  expect(others).toEqual([]);
  expect(faultsIn({ in: into }, { startAfter: {} })[0]).toMatch(/^input\.startAfter: .*leave startAfter out$/);
  expect(faultsIn({ in: into }, { maxDelaySeconds: 9 })[0]).toContain('held back');
});

test('tasks of an array write to addresses of their own, and their files are counted together', () => {
  const faultsOfTasks = (tasks: number, to: string, inputs = 1) => {
    const faults = new FaultList();
    const into = Array.from({ length: inputs }, (_, index) => ({ from: URL_IN, to: `f${index}` }));
    checkStagedTasks(faults, { in: into, out: [{ from: 'r', to }], folder: 'REMOVE' }, tasks);
    return told(() => faults.assertNone());
  };
  expect(faultsOfTasks(2, 'https://store.example/{index}/r')).toEqual([]);
  expect(faultsOfTasks(1, 'https://store.example/r')).toEqual([]);
  expect(faultsOfTasks(2, 'https://store.example/r')[0]).toContain('input.stageOut[0].to: every task would write');
  expect(faultsOfTasks(5000, 'https://store.example/{index}')).toEqual([]);
  expect(faultsOfTasks(5000, 'https://store.example/{index}', 2)[0]).toContain('input.stageIn: 15000 files');
});

test('a task of an array has its index in the paths and addresses of its files', () => {
  const inputs = [{ from: '/data/{index}/{index}', to: 'in/{index}', bytes: 7 }];
  const request = { in: inputs, out: [{ from: 'r', to: 'https://a/{index}' }], folder: 'KEEP' } as const;
  expect(stagedForTask(request, 12)).toEqual({
    in: [{ from: '/data/12/12', to: 'in/12', bytes: 7 }],
    out: [{ from: 'r', to: 'https://a/12' }],
    folder: 'KEEP',
  });
});

test('what may be secret in an address is left out', () => {
  expect(publicAddress(URL_IN)).toBe('https://store.example/a');
  expect(publicAddress('/data/a')).toBe('/data/a');
});
