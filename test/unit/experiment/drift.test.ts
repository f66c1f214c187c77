import { expect, test } from 'vitest';
import { driftExperiment } from '../../../src/experiment/drift/drift.ts';

test('each log is the past of the next, unless pairs are told', () => {
  const parameters = { ...driftExperiment.parameters, alsoTraces: 'b,c', variants: 'heeds=present' };
  expect(driftExperiment.parts(parameters)).toEqual(['0>1 heeds=present', '1>2 heeds=present', '2>0 heeds=present']);
  expect(driftExperiment.parts({ ...parameters, pairs: '2>2' })).toEqual(['2>2 heeds=present']);
});
