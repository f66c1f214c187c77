import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepClass } from '../../../../src/domain/kept-classes.ts';
import {
  type Checkpoint,
  CheckpointFault,
  readCheckpoint,
  writeCheckpoint,
} from '../../../../src/predict/checkpoint/checkpoint.ts';
import { assertLearnedBy, keptModel } from '../../../../src/predict/checkpoint/kept-model.ts';
import { packCheckpoint, unpackCheckpoint } from '../../../../src/predict/checkpoint/pack.ts';
import { tell } from '../../../../src/predict/past/tell.ts';
import { watchPast } from '../../../../src/predict/past/watched-past.ts';
import { createWaitPredictor } from '../../../../src/predict/registry.ts';
import { BoostedMedian } from '../../../../src/stats/boosted-median.ts';
import { SlidingSample } from '../../../../src/stats/sliding-sample.ts';
import { simulatedRecords } from '../../../simulated-records.ts';

function restored(learned: object): unknown {
  // As a database gives it: in the midst of other memory, and of Node.js' own kind.
  const stored = Buffer.concat([Buffer.alloc(3), packCheckpoint(writeCheckpoint({ learned }, {}))]).subarray(3);
  return readCheckpoint(unpackCheckpoint(stored), { learned: null });
}

const value = fc.letrec((tie) => ({
  one: fc.oneof(
    { depthSize: 'small' },
    fc.double(),
    fc.integer(),
    fc.constantFrom(null, undefined, true, false, -0, Number.NaN, 2 ** 31, -(2 ** 31), 2 ** 53),
    fc.string(),
    fc.array(tie('one')),
    fc.dictionary(
      fc.string({ minLength: 1 }).filter((name) => name !== '__proto__'),
      tie('one'),
      { noNullPrototype: true },
    ),
    fc.array(fc.tuple(fc.string(), tie('one'))).map((entries) => new Map(entries)),
    fc.array(tie('one')).map((members) => new Set(members)),
    fc.float64Array(),
    fc.uint8Array(),
    fc.int32Array(),
    fc.array(fc.double()),
    fc.array(fc.integer()),
  ),
})).one;

test('any value comes back as it was', () => {
  fc.assert(
    fc.property(value, (learned) => {
      // Vitest's own takes a property that is called `constructor` for the class.
      deepStrictEqual(restored({ learned }), { learned: { learned } });
    }),
    { numRuns: 300 },
  );
});

test('what is one object before is one object after, memory that is seen in two ways, and what refers to itself', () => {
  const buffer = new ArrayBuffer(16);
  const one: Record<string, unknown> = { numbers: new Float64Array(buffer), words: new Int32Array(buffer, 8) };
  one.itself = [one];
  const { learned } = restored({ first: one, second: one }) as Record<string, Record<string, typeof one>>;
  const first = learned?.first as { numbers: Float64Array; words: Int32Array; itself: unknown[] };
  expect(learned?.second).toBe(first);
  expect(first.itself[0]).toBe(first);
  first.numbers[1] = 1;
  expect(first.words[1]).toBe(1_072_693_248);
});

class Tally {
  count = 0;
}
keepClass(Tally);

test('what was two objects is two, also where it begins as one', () => {
  const tally = new Tally();
  const written = writeCheckpoint({ first: tally, second: Object.assign(new Tally(), { count: 2 }) }, {});
  const shared = new Tally();
  const read = readCheckpoint(written, { first: shared, second: shared });
  expect(read).toMatchObject({ first: { count: 0 }, second: { count: 2 } });
});

test('what is frozen stays as it was, for others may have it, too', () => {
  const frozen = Object.freeze(new Tally());
  const written = writeCheckpoint({ tally: Object.assign(new Tally(), { count: 2 }) }, {});
  expect(readCheckpoint(written, { tally: frozen })).toMatchObject({ tally: { count: 2 } });
  expect(frozen.count).toBe(0);
});

test('a function that was another one is not taken for it: what it knew is lost', () => {
  const written = writeCheckpoint({ classOf: (size: number) => size + 1 }, {});
  expect(() => readCheckpoint(written, { classOf: () => 0 })).toThrow('a function was another one when it was kept');
});

test('of what was learned by rows none is kept, and a short history takes little, whatever its capacity', () => {
  const bytesOf = (learned: object) => packCheckpoint(writeCheckpoint({ learned }, {})).length;
  const values = Float32Array.from({ length: 100_000 }, (_, i) => (i * 7919) % 1009);
  const targets = Float64Array.from({ length: 5000 }, (_, i) => values[20 * i] as number);
  const growth = { trees: 4, learningRate: 0.3, rowShare: 0.5, featureShare: 0.5, mostLeaves: 8, fewestRows: 10 };
  const model = new BoostedMedian(values, targets, growth, 1);
  expect(bytesOf(model)).toBeGreaterThan(400_000);
  model.grow();
  expect(bytesOf(model)).toBeLessThan(50_000);
  const sample = new SlidingSample(6000);
  for (let i = 0; i < 20; i++) sample.add(i);
  expect(bytesOf(sample)).toBeLessThan(2000);
});

test('what cannot be kept is not kept', () => {
  expect(() => writeCheckpoint({ one: Symbol('one') }, {})).toThrow(TypeError);
  expect(() => writeCheckpoint({ one: new BigInt64Array(1) }, {})).toThrow('a BigInt64Array cannot be kept');
  const lost = writeCheckpoint({ one: () => 1 }, {});
  expect(() => readCheckpoint(lost, {})).toThrow('one: nobody gives what is not kept');
});

function learnedQbets(): Checkpoint<object> {
  const predictor = createWaitPredictor('wait/qbets');
  for (const sight of watchPast(simulatedRecords(300, 64), { processors: 64, snapshotSeconds: 3600 }))
    tell(predictor, sight);
  return writeCheckpoint(predictor, { models: [keptModel('wait', predictor)] });
}

test('one bit that is another one, wherever it is, or a byte that is missing, is noticed', () => {
  const packed = packCheckpoint(learnedQbets());
  fc.assert(
    fc.property(fc.nat(packed.length - 1), fc.nat(7), (byte, bit) => {
      const torn = packed.slice();
      torn[byte] = (torn[byte] as number) ^ (1 << bit);
      expect(() => readCheckpoint(unpackCheckpoint(torn), createWaitPredictor('wait/qbets'))).toThrow(CheckpointFault);
    }),
    { numRuns: 200 },
  );
  for (const length of [0, 3, 24, 100, packed.length - 1])
    expect(() => unpackCheckpoint(packed.subarray(0, length))).toThrow(CheckpointFault);
  expect(() => unpackCheckpoint(Uint8Array.of(...packed, 0))).toThrow('torn');
});

test('every bit of the header that is another one is noticed', () => {
  const packed = packCheckpoint(writeCheckpoint({ tally: new Tally() }, { models: [] }));
  const read = () => readCheckpoint(unpackCheckpoint(packed), { tally: new Tally() });
  const headerEnd = packed.indexOf('}'.charCodeAt(0), 24) + 1;
  for (let bit = 0; bit < 8 * headerEnd; bit++) {
    packed[bit >> 3] = (packed[bit >> 3] as number) ^ (1 << (bit & 7));
    expect(read, `bit ${bit}`).toThrow(CheckpointFault);
    packed[bit >> 3] = (packed[bit >> 3] as number) ^ (1 << (bit & 7));
  }
  expect(read).not.toThrow();
});

test('a format, a version, parameters, features and predictors that are others are told', () => {
  const checkpoint = learnedQbets();
  const other = { ...checkpoint, header: { ...checkpoint.header, format: 1 as never } };
  expect(() => readCheckpoint(other, createWaitPredictor('wait/qbets'))).toThrow('it is of format 1, and this is 2');
  const model = keptModel('wait', createWaitPredictor('wait/gridcast'));
  expect(() => assertLearnedBy([{ ...model, version: 'old' }], [model])).toThrow(
    `it keeps wait by wait/gridcast of version old, and this is ${model.version}`,
  );
  expect(() => assertLearnedBy([{ ...model, parameters: { heeds: 'past' } }], [model])).toThrow('other parameters');
  expect(() => assertLearnedBy([{ ...model, features: 1 }], [model])).toThrow('other features');
  expect(() => assertLearnedBy([], [model])).toThrow('it does not keep wait by wait/gridcast');
  expect(() => assertLearnedBy([model, model], [model])).toThrow('more predictors than are followed');
  expect(() => assertLearnedBy([model], [model])).not.toThrow();
});

test('features have names, and with another predictor given they are others', () => {
  const [alone, given] = [{}, { runtimes: 'runtime/gridcast' }].map(
    (settings) => keptModel('wait', createWaitPredictor('wait/gridcast', settings)).features,
  );
  expect(alone).not.toBe(given);
  expect(createWaitPredictor('wait/gridcast').featureNames?.()).toContain('leadSeconds');
});
