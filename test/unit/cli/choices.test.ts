import { describe, expect, test } from 'vitest';
import { CliFailure } from '../../../src/cli/failure.ts';
import { parseSizes, parseSpeedup } from '../../../src/cli/parse/choices.ts';

describe('sizes on the command line', () => {
  const none = { list: [], from: null, to: null, steps: 'POWERS_OF_TWO', fromHistory: false };

  test.each([
    ['4, 8,12', { list: [4, 8, 12] }],
    ['4..64', { from: 4, to: 64 }],
    ['4..8:all', { from: 4, to: 8, steps: 'ALL' }],
    ['6,4..64,History', { list: [6], from: 4, to: 64, fromHistory: true }],
  ])('%s', (text, sizes) => {
    expect(parseSizes(text)).toEqual({ ...none, ...sizes });
  });

  test.each(['', '4..', '4..x', '1..2,4..8', '4..8:some', '-3', '2.5', 'his'])('"%s" are none', (text) => {
    expect(() => parseSizes(text)).toThrow(CliFailure);
  });
});

describe('a speedup on the command line', () => {
  test('is one of two models', () => {
    expect(parseSpeedup('amdahl:0.05')).toEqual({ model: 'AMDAHL', serialShare: 0.05 });
    expect(parseSpeedup('Downey:64, .5')).toEqual({ model: 'DOWNEY', averageParallelism: 64, sigma: 0.5 });
  });

  test.each(['', 'amdahl', 'amdahl:', 'amdahl:1,2', 'downey:64', 'downey:a,b', 'linear:1'])('"%s" is none', (text) => {
    expect(() => parseSpeedup(text)).toThrow(CliFailure);
  });
});
