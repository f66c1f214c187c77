import type { JobRecord } from '../../domain/job.ts';
import type { SettingsByPredictor } from '../../predict/settings.ts';
import { Embedder } from '../../training/embedder.ts';
import { numberOfModel, withEmbeddingNumber } from '../../training/embedding-model.ts';
import type { PartInput } from '../experiment.ts';

/** Jobs with where their texts lie, and the settings with which predictors use that. */
interface EmbeddedJobs {
  readonly records: readonly JobRecord[];
  /** Those of the experiment, where no model was given. */
  readonly settings: string;
}

/**
 * By the model that the parameter `embedding` names: its ONNX file and its tokenizer, separated by a comma. Every text
 * is waited for, so that the same jobs give the same forecasts.
 * @throws RangeError when the files are no such model, or the parameter is something else
 */
export async function embeddedJobs(
  records: readonly JobRecord[],
  { parameters, pathOf = (file) => file }: PartInput,
): Promise<EmbeddedJobs> {
  const settings = String(parameters.settings);
  const told = String(parameters.embedding);
  if (told === '') return { records, settings };
  const [modelFile = '', tokenizerFile = ''] = told.split(',').map(pathOf);
  const model = { modelFile, tokenizerFile };
  const own: SettingsByPredictor = settings === '' ? {} : JSON.parse(settings);
  const withNumber = JSON.stringify(withEmbeddingNumber(own, numberOfModel(model)));
  const faults: string[] = [];
  const embedder = new Embedder(model, (fault) => void faults.push(fault));
  const embedded: JobRecord[] = [];
  for (let from = 0; from < records.length && faults.length === 0; from += JOBS_AT_ONCE) {
    embedded.push(...(await embedder.tell(records.slice(from, from + JOBS_AT_ONCE), Number.POSITIVE_INFINITY)));
  }
  embedder.close();
  if (faults.length > 0) throw new RangeError(`parameter embedding: ${faults.join('; ')}`);
  return { records: embedded, settings: withNumber };
}

/** Fewer than may wait. */
const JOBS_AT_ONCE = 5000;
