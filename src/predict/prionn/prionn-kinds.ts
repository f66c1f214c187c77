import type { IoBytes } from '../../domain/job-use.ts';
import type { BytesPredictor, RuntimePredictor } from '../predictor.ts';
import { type Create, kind } from '../registered.ts';
import { PrionnBytes } from './prionn-bytes.ts';
import { PRIONN_CHOICES, PRIONN_DEFAULTS } from './prionn-parameters.ts';
import { PrionnRuntime } from './prionn-runtime.ts';
import { suppliedTrainer } from './training.ts';

/** The line of the registry of runtime predictors; making one throws TrainerAbsentError where nobody can teach it. */
export const PRIONN_RUNTIME: [string, Create<RuntimePredictor>] = kind(
  'runtime/prionn',
  PRIONN_DEFAULTS,
  (parameters) => new PrionnRuntime(parameters, suppliedTrainer()),
  PRIONN_CHOICES,
);

/** The same of bytes read, or written. */
export function prionnBytes(which: IoBytes): [string, Create<BytesPredictor>] {
  return kind(
    'io/prionn',
    PRIONN_DEFAULTS,
    (parameters) => new PrionnBytes(which, parameters, suppliedTrainer()),
    PRIONN_CHOICES,
  );
}
