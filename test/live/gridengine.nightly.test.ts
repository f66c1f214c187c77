import { afterAll, beforeAll, describe, test } from 'vitest';
import { labMissing } from '../lab/lab.ts';
import {
  expectTextsToArrive,
  GRID_ENGINE_LAB,
  type LiveGridEngine,
  startGridEngine,
  submitAmidLosses,
} from './gridengine-live.ts';

const MISSING = labMissing(GRID_ENGINE_LAB);
if (MISSING) test('many texts and submissions at Grid Engine', ({ skip }) => skip(MISSING));

describe.skipIf(MISSING)('many at Grid Engine', () => {
  let engine: LiveGridEngine;
  beforeAll(async () => {
    engine = await startGridEngine();
  });
  afterAll(() => engine?.close());

  test('500 hostile texts arrive byte for byte', { timeout: 240_000 }, () => expectTextsToArrive(engine, 500));

  test('1,000 submissions amid losses: none twice, none lost', { timeout: 600_000 }, () =>
    submitAmidLosses(engine, 1000),
  );
});
