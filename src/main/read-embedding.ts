import { dirname, join, resolve } from 'node:path';
import type { SettingsByPredictor } from '../predict/settings.ts';
import { type EmbeddingModel, numberOfModel, withEmbeddingNumber } from '../training/embedding-model.ts';
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
 * @throws ConfigError naming the setting whose file cannot be used
 */
export function readEmbedding(
  { GRIDCAST_EMBEDDING_MODEL: model, GRIDCAST_EMBEDDING_TOKENIZER: told, GRIDCAST_TUNED }: Config,
  settings: SettingsByPredictor = readTuned(GRIDCAST_TUNED),
): GivenEmbedding {
  if (model === undefined) {
    if (told === undefined) return { settings };
    throw new ConfigError(['GRIDCAST_EMBEDDING_TOKENIZER: it is of no use without GRIDCAST_EMBEDDING_MODEL']);
  }
  const modelFile = resolve(model);
  const tokenizerFile = resolve(told ?? join(dirname(modelFile), 'tokenizer.json'));
  const embedding = { modelFile, tokenizerFile };
  naming('GRIDCAST_EMBEDDING_TOKENIZER', () => readTokenizer(tokenizerFile));
  const number = naming('GRIDCAST_EMBEDDING_MODEL', () => numberOfModel(embedding));
  return { embedding, settings: withEmbeddingNumber(settings, number) };
}

function naming<Read>(setting: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    throw new ConfigError([`${setting}: ${(error as Error).message}`]);
  }
}
