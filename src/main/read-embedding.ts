import { dirname, join, resolve } from 'node:path';
import type { SettingsByPredictor } from '../predict/settings.ts';
import { type EmbeddingModel, numberOfModel, readBounded, withEmbeddingNumber } from '../training/embedding-model.ts';
import { readTokenizer } from '../training/sentence-tokenizer.ts';
import { type Config, ConfigError } from './config.ts';
import { readTuned } from './read-tuned.ts';

/** What forecasters are told of the model that a configuration names. */
export interface GivenEmbedding {
  readonly embedding?: EmbeddingModel;
  /** With what tells the predictors that texts have embeddings. */
  readonly settings: SettingsByPredictor;
}

/**
 * The model of `GRIDCAST_EMBEDDING_MODEL`, if there is one. Whether ONNX Runtime can compute it shows in the process
 * that does.
 * @param settings those of predictors without it, by default of the files that are named
 * @throws ConfigError naming every setting whose files cannot be used
 */
export function readEmbedding(config: Config, settings?: SettingsByPredictor): GivenEmbedding {
  const { GRIDCAST_EMBEDDING_MODEL: model, GRIDCAST_EMBEDDING_TOKENIZER: told } = config;
  const faults: string[] = [];
  const noting = <Read>(setting: string, read: () => Read): Read | undefined => {
    try {
      return read();
    } catch (error) {
      faults.push(...(error instanceof ConfigError ? error.faults : [`${setting}: ${(error as Error).message}`]));
    }
  };
  const known = settings ?? noting('GRIDCAST_TUNED', () => readTuned(config.GRIDCAST_TUNED)) ?? {};
  if (model === undefined) {
    if (faults.length > 0) throw new ConfigError(faults);
    return { settings: known };
  }
  const modelFile = resolve(model);
  const embedding = { modelFile, tokenizerFile: resolve(told ?? join(dirname(modelFile), 'tokenizer.json')) };
  noting('GRIDCAST_EMBEDDING_TOKENIZER', () => readTokenizer(embedding.tokenizerFile));
  noting('GRIDCAST_EMBEDDING_MODEL', () => readBounded(modelFile));
  if (faults.length > 0) throw new ConfigError(faults);
  return { embedding, settings: withEmbeddingNumber(known, numberOfModel(embedding)) };
}
