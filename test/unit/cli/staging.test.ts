import { expect, test } from 'vitest';
import { stagingInput } from '../../../src/cli/parse/staging.ts';

test('files are told by their places in the folder and their addresses', () => {
  const stageIn = ['data/a=https://store.example/a?b=c', 'b=/data/b'];
  expect(stagingInput({ stageIn, stageOut: ['r=https://store.example/r'], keepWorkFolder: true })).toEqual({
    stageIn: [
      { from: 'https://store.example/a?b=c', to: 'data/a' },
      { from: '/data/b', to: 'b' },
    ],
    stageOut: [{ from: 'r', to: 'https://store.example/r' }],
    keepWorkFolder: 'KEEP',
  });
  expect(stagingInput({})).toEqual({});
});

test.each([
  'https://store.example/s3cret',
  '=https://store.example/s3cret',
  's3cret=',
])('%s names no file and is not told back', (text) => {
  expect(() => stagingInput({ stageIn: [text] })).toThrow(/^--stage-in names no path and address(?!.*s3cret)/);
});
