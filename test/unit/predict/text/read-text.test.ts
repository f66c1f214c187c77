import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Program } from '../../../../src/domain/program.ts';
import { alikeness, readText } from '../../../../src/predict/text/read-text.ts';

function script(text: string): Program {
  return { name: 'run', script: text, arguments: [], workFolder: '/home/ann' };
}

const RUN = (steps: number) => `#!/bin/sh\n#SBATCH -t 1:30:00\ncd case\nmpirun ./solve -steps ${steps} --grid=64\n`;

describe('a script', () => {
  test('tells its numbers by the word before them', () => {
    const { numbers } = readText(
      script('steps = 1500,\nexport GRID=64\n./a -dt 1.5e-3 --n=7 12\n#SBATCH -t 1:30:00\n'),
    );
    const told = ['steps', 'GRID', '-dt', '--n', '--n.1', '-t', '-t.1'].map((word) => numbers.get(word));
    expect(told).toEqual([1500, 64, 1.5e-3, 7, 12, 1, 30]);
  });

  test('that differs in a number only has the shape and the skeleton, not the whole, of the other', () => {
    const [a, b] = [readText(script(RUN(100))), readText(script(RUN(2000)))];
    expect(b).toMatchObject({ shape: a.shape, skeleton: a.skeleton });
    expect(b.whole).not.toBe(a.whole);
    expect(readText(script(RUN(100).replace('case', 'other'))).skeleton).toBe(a.skeleton);
    expect(readText(script(RUN(100).replace('solve', 'other'))).shape).not.toBe(a.shape);
  });

  test('has the outline of another run on another input, whatever number comes after its name', () => {
    const run = (name: string) => readText(script(`#SBATCH -J ${name}.7\n./solve --steps 100\n`));
    expect(run('mesh12').skeleton).not.toBe(run('mesh13').skeleton);
    expect(run('mesh12').outline).toBe(run('mesh13').outline);
    expect(run('mesh').outline).not.toBe(run('wing').outline);
  });

  test('is more like one that shares its lines than one that does not', () => {
    const of = (text: string) => readText(script(text)).sketch;
    const near = alikeness(of(RUN(100)), of(RUN(101)));
    expect(near).toBeGreaterThan(alikeness(of(RUN(100)), of('import numpy as np\nprint(np.zeros(4))\n')));
    expect(alikeness(of(RUN(100)), of(RUN(100)))).toBe(1);
  });

  test('of which only the name is known has a stem without digits', () => {
    const named = { name: 'gp-job-52333-test', script: null, arguments: [], workFolder: null };
    expect(readText(named)).toMatchObject({ stem: 'gp-job-#-test', folder: '', length: 17 });
  });
});

describe('whatever the text is', () => {
  const hostile: Record<string, string> = {
    empty: '',
    nul: '\0'.repeat(5000),
    'one line of a million': '9'.repeat(1_000_000),
    'a million words': 'a 1 '.repeat(250_000),
    'a million lines': '\n'.repeat(1_000_000),
    'right to left': '\u202e\u05d0 = 12\u0663\n'.repeat(3000),
    'half surrogates': '\ud800 = 1\n\udfff'.repeat(2000),
    binary: Array.from({ length: 100_000 }, (_, i) => String.fromCharCode((i * 7919) % 256)).join(''),
    'numbers too large': `steps=${'9'.repeat(500)} x=1e99 y=${'1e9'.repeat(300)}`,
    'only options': '--a-1-'.repeat(50_000),
  };

  test.each(Object.keys(hostile))('%s: it is read in bounded memory, without anything that is not a number', (kind) => {
    const text = hostile[kind] as string;
    const read = readText({ ...script(text), name: text, workFolder: text, arguments: [text, text] });
    expect(read.numbers.size).toBeLessThanOrEqual(24);
    for (const [key, value] of read.numbers) {
      expect(key.length).toBeLessThan(40);
      expect(Number.isFinite(value)).toBe(true);
    }
    expect(read.name.length + read.stem.length + read.folder.length).toBeLessThanOrEqual(3 * 1024);
    expect(Number.isFinite(read.length + read.whole + read.shape + read.skeleton)).toBe(true);
  });

  test('the same text reads the same, and no text throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(readText(script(text))).toEqual(readText(script(text)));
      }),
      { numRuns: 20 },
    );
  });
});
