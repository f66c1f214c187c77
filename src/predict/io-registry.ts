import type { IoBytes } from '../domain/job-use.ts';
import { NINE_FEATURE_METHODS, NineFeatureBytes } from './baseline/nine-features/predictors.ts';
import { UserLastBytes } from './baseline/user-last-bytes.ts';
import { GRIDCAST_BYTES_DEFAULTS, GridcastBytes } from './io/gridcast-bytes.ts';
import type { BytesPredictor } from './predictor.ts';
import { prionnBytes } from './prionn/prionn-kinds.ts';
import { type Create, kind } from './registered.ts';
import { NAMES } from './runtime/gridcast.ts';

/**
 * Every predictor of bytes by its name, each as a factory of one that has learned nothing, with settings in place of
 * some of its parameters. A new one is a line here.
 * @param which of bytes read and written
 */
function bytesPredictors(which: IoBytes): ReadonlyMap<string, Create<BytesPredictor>> {
  return new Map<string, Create<BytesPredictor>>([
    kind('io/gridcast', GRIDCAST_BYTES_DEFAULTS, (parameters) => new GridcastBytes(which, parameters), {
      names: NAMES,
    }),
    kind('baseline/user-last-bytes', {}, () => new UserLastBytes(which)),
    prionnBytes(which),
    ...NINE_FEATURE_METHODS.map(([name, method]) => kind(name, {}, () => new NineFeatureBytes(name, which, method))),
  ]);
}

export const READ_PREDICTORS = bytesPredictors('readBytes');
export const WRITTEN_PREDICTORS = bytesPredictors('writtenBytes');
