import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseMarked } from '../../../adapters/slurm/parse-listing.ts';

const MARK = '~0123456789ab~';
const field = fc.string({ unit: 'binary', maxLength: 30 }).filter((text) => !text.includes(MARK));

function write(rows: readonly (readonly string[])[]): string {
  return rows.map((fields) => `${fields.map((text) => text + MARK).join('')}\n`).join('');
}

describe('a listing with marks', () => {
  test('is read back whatever the fields contain', () => {
    const rows = fc.integer({ min: 1, max: 6 }).chain((columns) =>
      // A field that begins with a line feed cannot be told from the end of the row before; none of the first columns
      // can.
      fc.array(fc.array(field, { minLength: columns, maxLength: columns }), { maxLength: 6 }).map((drawn) => ({
        columns,
        drawn: drawn.map(([first = '', ...others]) => [first.replace(/^\n+/, ''), ...others]),
      })),
    );
    fc.assert(
      fc.property(rows, ({ columns, drawn }) => {
        expect(parseMarked(write(drawn), MARK, columns)).toEqual(drawn);
      }),
    );
  });

  test('that was cut is refused', () => {
    const whole = write([
      ['1', 'a'],
      ['2', 'b'],
    ]);
    for (let length = 1; length < whole.length; length++) {
      const text = whole.slice(0, length);
      if (text === write([['1', 'a']])) continue;
      expect(() => parseMarked(text, MARK, 2), JSON.stringify(text)).toThrow('not complete');
    }
  });

  test('of nothing is empty', () => {
    expect(parseMarked('', MARK, 3)).toEqual([]);
  });
});
