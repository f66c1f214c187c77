import Module from 'node:module';
import { afterEach, expect, test } from 'vitest';
import { readConfig } from '../../../src/main/config.ts';
import { TrainerAbsentError } from '../../../src/predict/prionn/training.ts';
import { READ_BYTES, RUNTIME } from '../../../src/predict/quantities.ts';
import { createPredictor } from '../../../src/predict/registry.ts';
import { supplyLiveTrainer, whyUntrainable } from '../../../src/training/supply.ts';

type Resolve = (request: string, ...rest: unknown[]) => string;
const modules = Module as unknown as { _resolveFilename: Resolve };
const resolve = modules._resolveFilename;

/** As Node.js answers where a package is not installed. */
function takeAway(name: string): void {
  modules._resolveFilename = (request, ...rest) => {
    if (request !== name) return resolve.call(Module, request, ...rest);
    throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' });
  };
}

afterEach(() => {
  modules._resolveFilename = resolve;
});

test('without the package that trains, who needs it says so, and the others go on', () => {
  supplyLiveTrainer();
  takeAway('onnxruntime-node');
  for (const create of [
    () => createPredictor(RUNTIME, 'runtime/prionn'),
    () => createPredictor(READ_BYTES, 'io/prionn'),
  ]) {
    expect(create).toThrow(TrainerAbsentError);
    expect(create).toThrow(/onnxruntime-node, which is not installed; install it with "npm ci --include=optional"/);
  }
  for (const name of RUNTIME.predictors.keys()) {
    if (!name.endsWith('/prionn')) expect(createPredictor(RUNTIME, name).name).toBe(name);
  }
});

test('without it, a configuration that names such a predictor is refused with the remedy', () => {
  takeAway('onnxruntime-node');
  for (const name of ['GRIDCAST_RUNTIME_PREDICTOR', 'GRIDCAST_RUNTIME_ALSO_SCORED']) {
    expect(() => readConfig({ [name]: 'runtime/prionn' })).toThrow(/onnxruntime-node/);
  }
  expect(() => readConfig({ GRIDCAST_IO_ALSO_SCORED: 'io/prionn' })).toThrow(/onnxruntime-node/);
  expect(() => readConfig({ GRIDCAST_RUNTIME_ALSO_SCORED: 'baseline/requested' })).not.toThrow();
});

test('with it, they are made', ({ skip }) => {
  const why = whyUntrainable();
  if (why !== null) skip(why);
  supplyLiveTrainer();
  expect(createPredictor(RUNTIME, 'runtime/prionn').name).toBe('runtime/prionn');
  expect(() => readConfig({ GRIDCAST_RUNTIME_PREDICTOR: 'runtime/prionn' })).not.toThrow();
});
