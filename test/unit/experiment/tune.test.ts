import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settingsFor, settingsText, toldPredictor } from '../../../src/experiment/told-settings.ts';
import { tunePredictor } from '../../../src/experiment/tune/tune.ts';
import { validationRange } from '../../../src/experiment/tune/validation.ts';
import { createWaitPredictor } from '../../../src/predict/registry.ts';
import { parseTuned, settled } from '../../../src/predict/settings.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-tune-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('validation sets', () => {
  test('are the paper’s where the log is long enough, and end before the test set of a shorter one', () => {
    expect(validationRange(60_000)).toEqual({ from: 10_000, validFrom: 16_000, to: 20_000 });
    expect(validationRange(20_001)).toEqual({ from: 10_000, validFrom: 16_000, to: 20_000 });
    expect(validationRange(900)).toEqual({ from: 150, validFrom: 240, to: 300 });
  });
});

describe('tuning', () => {
  /**
   * Jobs wait a minute, but every third one waits an hour, whoever submits it: the far past tells no less than the near
   * one.
   */
  function writeLog(poisonFrom = Number.POSITIVE_INFINITY): string {
    const lines = Array.from({ length: 900 }, (_, i) => {
      const wait = (i % 3 === 0 ? 3600 : 60) + (i >= poisonFrom ? 1e6 : 0);
      return `${i + 1} ${i * 120} ${wait} 600 4 -1 -1 4 900 -1 1 ${i % 5} 1 -1 1 1 -1 -1`;
    });
    const file = join(folder, `log-${poisonFrom}.swf`);
    writeFileSync(file, `; MaxProcs: 64\n${lines.join('\n')}\n`);
    return file;
  }

  test('finds values that are no worse on validation, and says what it was done on', async () => {
    const notes: number[] = [];
    const tuned = await tunePredictor('wait/ibl', {
      traces: [writeLog()],
      onProgress: (done, total) => notes.push(done / total),
    });
    expect(tuned).toMatchObject({ predictor: 'wait/ibl', every: 1 });
    const [log] = tuned.tunedOn;
    expect(log).toMatchObject({ trace: 'log-Infinity.swf', validation: '240-299' });
    expect(log?.aaeHoursAfter as number).toBeLessThanOrEqual(log?.aaeHoursBefore as number);
    expect(notes.at(-1)).toBe(1);
    expect(createWaitPredictor('wait/ibl', tuned.parameters).name).toBe('wait/ibl');
  });

  test('looks at nothing from the end of the validation set on', async () => {
    const [honest, poisoned] = await Promise.all(
      [writeLog(), writeLog(300)].map((trace) => tunePredictor('wait/ibl', { traces: [trace], every: 3 })),
    );
    expect(poisoned?.parameters).toEqual(honest?.parameters);
    expect(poisoned?.tunedOn[0]?.aaeHoursAfter).toBe(honest?.tunedOn[0]?.aaeHoursAfter);
  });

  test('a log on which nothing is scored is refused: nothing is better than that', async () => {
    const traces = [join(folder, 'no-waits.swf')];
    const jobs = Array.from(
      { length: 900 },
      (_, i) => `${i + 1} ${i * 120} -1 600 4 -1 -1 4 900 -1 1 1 1 -1 1 1 -1 -1`,
    );
    writeFileSync(traces[0] as string, `; MaxProcs: 64\n${jobs.join('\n')}\n`);
    await expect(tunePredictor('wait/ibl', { traces })).rejects.toThrow(
      'no-waits.swf: of its validation jobs, 240-299, no wait could be scored',
    );
  });

  test('a predictor that has nothing to tune is refused', async () => {
    await expect(tunePredictor('baseline/last', { traces: [writeLog()] })).rejects.toThrow(
      /baseline\/last has nothing to tune; there are wait\/apq/,
    );
  });
});

describe('settings', () => {
  test('stand in place of a predictor’s own, and show in its version', () => {
    const own = createWaitPredictor('wait/apq');
    const told = createWaitPredictor('wait/apq', { capacity: 2000, statistics: 'distribution' });
    expect(told.version).not.toBe(own.version);
    expect(createWaitPredictor('wait/apq', {}).version).toBe(own.version);
  });

  test('that cannot be are refused by name, value and what they may be', () => {
    const defaults = { capacity: 6000, share: 0.5, statistics: 'summary' };
    const told = (settings: Record<string, number | string>) => () =>
      settled('wait/x', defaults, settings, { statistics: ['summary', 'distribution'] });
    expect(told({ capacity: 10, share: 1 })()).toEqual({ capacity: 10, share: 1, statistics: 'summary' });
    expect(told({ speed: 1 })).toThrow('wait/x has no parameter speed; it has capacity, share, statistics');
    expect(told({ capacity: 0 })).toThrow('parameter capacity of wait/x must be a whole number from 1, not 0');
    expect(told({ share: 2 })).toThrow('parameter share of wait/x must be a number above 0, at most 1, not 2');
    expect(told({ statistics: 'luck' })).toThrow('must be one of summary, distribution, not "luck"');
    expect(() => createWaitPredictor('baseline/last', { n: 1 })).toThrow(
      'baseline/last has no parameter n; it has none',
    );
  });

  test('make variants of a predictor that an experiment compares', () => {
    const own = toldPredictor('wait/gridcast', { settings: '' });
    const variant = toldPredictor('wait/gridcast+runtimes=runtime/gridcast+capacity=900', { settings: '' });
    const given = { 'wait/gridcast': { runtimes: 'runtime/gridcast', capacity: 900 } };
    expect(variant.version).toBe(toldPredictor('wait/gridcast', { settings: JSON.stringify(given) }).version);
    expect(variant.version).not.toBe(own.version);
    const told = (name: string) => () => toldPredictor(name, { settings: '' });
    expect(told('wait/gridcast+runtimes=luck')).toThrow('must be one of nobody, runtime/gridcast');
    expect(told('wait/gridcast+load=load/oracle')).toThrow('must be one of nobody, load/gridcast');
    expect(told('wait/gridcast+luck')).toThrow('wait/gridcast has no parameter luck');
  });

  test('travel from the file that tuning wrote to the predictor', () => {
    const text = JSON.stringify({ predictor: 'wait/apq', parameters: { capacity: 2000 }, every: 1 });
    expect(parseTuned(text, 'a.json')).toEqual({ 'wait/apq': { capacity: 2000 } });
    const settings = settingsText([{ name: 'a.json', text }]);
    expect(settingsFor('wait/apq', settings)).toEqual({ capacity: 2000 });
    expect(settingsFor('wait/ibl', settings)).toEqual({});
    expect(settingsFor('wait/apq', '')).toEqual({});
    expect(() => parseTuned('{}', 'b.json')).toThrow(/b.json names no predictor/);
    expect(() => parseTuned('{', 'b.json')).toThrow(/b.json is not JSON/);
    expect(() => settingsFor('wait/apq', 'apq')).toThrow(/must be JSON/);
    expect(() => settingsFor('wait/apq', '{"wait/oracle":{}}')).toThrow(/wait\/oracle, which is no predictor/);
  });
});
