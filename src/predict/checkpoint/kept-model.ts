import type { PredictorSettings } from '../settings.ts';
import { CheckpointFault } from './checkpoint.ts';
import { fingerprint } from './graph.ts';

/** By what a state was learned: with anything else it is of no use. */
export interface KeptModel {
  readonly quantity: string;
  readonly predictor: string;
  readonly version: string;
  /** In place of some of its own. */
  readonly parameters: PredictorSettings;
  /** Of the names of the features that its models learn from, in their order. */
  readonly features: number;
}

/** What a predictor is known by in a checkpoint. */
export function keptModel(
  quantity: string,
  predictor: { readonly name: string; readonly version: string; featureNames?(): readonly string[] },
  parameters: PredictorSettings = {},
): KeptModel {
  const features = fingerprint(predictor.featureNames?.().join(' ') ?? '');
  return { quantity, predictor: predictor.name, version: predictor.version, parameters, features };
}

/** @throws CheckpointFault that says what differs, when a state was learned by others than these */
export function assertLearnedBy(kept: readonly KeptModel[], models: readonly KeptModel[]): void {
  for (const [i, model] of models.entries()) {
    const name = `${model.quantity} by ${model.predictor}`;
    const other = kept[i];
    if (!other || other.quantity !== model.quantity || other.predictor !== model.predictor)
      throw new CheckpointFault(`it does not keep ${name}`);
    if (other.version !== model.version)
      throw new CheckpointFault(`it keeps ${name} of version ${other.version}, and this is ${model.version}`);
    if (JSON.stringify(other.parameters) !== JSON.stringify(model.parameters))
      throw new CheckpointFault(`it keeps ${name} with other parameters`);
    if (other.features !== model.features) throw new CheckpointFault(`it keeps ${name} of other features`);
  }
  if (kept.length > models.length) throw new CheckpointFault('it keeps more predictors than are followed');
}
