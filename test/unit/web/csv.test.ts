import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toCsv } from '../../../src/web/ui/csv.ts';

test('a cell that a spreadsheet would compute is text, and one with commas, quotes and lines is one cell', () => {
  const rows = [
    ['=1+1', '@SUM(A1)', '+1', '-1', '\t=1', ' =1', '|cmd'],
    [1, -2, null, true, 'a,b', 'say "no"', 'two\nlines'],
  ];
  expect(toCsv(['a', 'b', 'c', 'd', 'e', 'f', 'g'], rows)).toBe(
    [
      'a,b,c,d,e,f,g',
      "'=1+1,'@SUM(A1),'+1,'-1,'\t=1,' =1,'|cmd",
      '1,-2,,true,"a,b","say ""no""","two\nlines"',
      '',
    ].join('\r\n'),
  );
});

test('no text begins as a formula does', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const [, line = ''] = toCsv(['x'], [[text]]).split('x\r\n');
      expect(line.replace(/^"/, '')).not.toMatch(/^\s*[=+\-@|]/);
    }),
  );
});
