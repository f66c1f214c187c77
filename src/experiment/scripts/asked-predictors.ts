import { READ_BYTES, RUNTIME, WRITTEN_BYTES } from '../../predict/quantities.ts';
import { createPredictor } from '../../predict/registry.ts';
import type { Parameters } from '../experiment.ts';
import { toldVariant } from '../told-settings.ts';
import type { AskedPredictors } from './followed-jobs.ts';

/** Ends the name of a predictor that is told nothing of any text. */
export const BLIND = '+blind';

/** Every predictor that the paper, or we, have for jobs with a text; those that are registered are compared. */
const WANTED = [
  'baseline/requested',
  'baseline/user-last-runtime',
  'baseline/user-last-bytes',
  'baseline/nearest-neighbours',
  'baseline/decision-tree',
  'baseline/random-forest',
  'runtime/prionn',
  'io/prionn',
  `runtime/gridcast${BLIND}`,
  'runtime/gridcast',
  'io/gridcast',
];

/** What is compared unless told. */
export function comparedPredictors(): string {
  return WANTED.filter((variant) => isKnown(variant.replace(BLIND, ''))).join(',');
}

/** The name of a variant without its settings, and whether it is told nothing of any text. */
export function partOf(variant: string): { readonly told: string; readonly isBlind: boolean } {
  return { told: variant.replace(BLIND, ''), isBlind: variant.includes(BLIND) };
}

/**
 * The predictors behind a name: of every quantity that it is registered for. A predictor of bytes alone has beside it
 * the runtimes that bandwidths are made with, those of the same family.
 * @throws RangeError for a name that no quantity has, or a setting that cannot be
 */
export function askedPredictors(part: string, parameters: Parameters): AskedPredictors & { scoresRuntime: boolean } {
  const { name, settings } = toldVariant(partOf(part).told, parameters);
  if (!isKnown(name)) throw new RangeError(`no predictor ${name} of runtimes or bytes; there are ${knownNames()}`);
  const hasBytes = READ_BYTES.predictors.has(name);
  const scoresRuntime = RUNTIME.predictors.has(name);
  const beside = name === 'baseline/user-last-bytes' ? 'baseline/user-last-runtime' : name.replace(/^io\//, 'runtime/');
  return {
    scoresRuntime,
    runtime: scoresRuntime
      ? createPredictor(RUNTIME, name, settings)
      : RUNTIME.predictors.has(beside)
        ? createPredictor(RUNTIME, beside)
        : null,
    read: hasBytes ? createPredictor(READ_BYTES, name, settings) : null,
    written: hasBytes ? createPredictor(WRITTEN_BYTES, name, settings) : null,
  };
}

function isKnown(name: string): boolean {
  return RUNTIME.predictors.has(name) || READ_BYTES.predictors.has(name);
}

function knownNames(): string {
  return [...new Set([...RUNTIME.predictors.keys(), ...READ_BYTES.predictors.keys()])].join(', ');
}
