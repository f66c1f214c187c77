import { expect, test } from 'vitest';
import { assertDeliverable } from '../../../adapters/shared/deliverable.ts';
import { Rejected } from '../../../src/domain/failures.ts';
import type { JobSpec } from '../../../src/domain/job.ts';

const spec: JobSpec = {
  name: 'n\nåme',
  script: '#!/bin/sh\n#SBATCH -n 99\n',
  arguments: ['--a', '\u{1f600}'],
  processors: 1,
  walltimeSeconds: 60,
  queue: null,
};

test('any text passes that can reach a batch system as it is', () => {
  expect(() => assertDeliverable(spec)).not.toThrow();
  expect(() => assertDeliverable({ ...spec, name: 'replaced already: \ufffd' })).not.toThrow();
});

test.each([
  ['name', { name: 'a\0b' }],
  ['queue', { queue: '\0' }],
  ['script', { script: '#!/bin/sh\n\0' }],
  ['arguments.1', { arguments: ['a', 'b\0'] }],
  ['arguments.0', { arguments: ['\ud800'] }],
  ['arguments', { arguments: ['x'.repeat(200_000)] }],
])('a text that cannot is refused by the name of its field: %s', (field, change) => {
  expect(() => assertDeliverable({ ...spec, ...change })).toThrow(Rejected);
  expect(() => assertDeliverable({ ...spec, ...change })).toThrow(field);
});
