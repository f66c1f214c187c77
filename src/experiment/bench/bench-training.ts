import { hasEnded } from '../../domain/job.ts';
import { SHAPES } from '../../predict/prionn/characters.ts';
import { Prionn } from '../../predict/prionn/prionn.ts';
import { PRIONN_DEFAULTS } from '../../predict/prionn/prionn-parameters.ts';
import { servingNetwork } from '../../predict/prionn/serving-network.ts';
import type { TrainedState, TrainingRequest, TrainingSettings } from '../../predict/prionn/training.ts';
import { TRANSFORMS } from '../../predict/prionn/transforms.ts';
import { withScripts } from '../../sim/scripts/with-scripts.ts';
import { TrainerProcess } from '../../training/trainer-process.ts';
import type { BenchInstruments } from './bench-simulator.ts';
import { simulatedRecords } from './simulated-records.ts';

/** What a training event of one variant costs. */
export interface TrainingBenchRow {
  readonly [figure: string]: number | string;
  readonly variant: string;
  readonly cpuSeconds: number;
  /** The most that the process that trains ever held. */
  readonly memoryMegabytes: number;
  readonly firstLoss: number;
  readonly lastLoss: number;
  /** In the process that serves, for a text that was not seen before. */
  readonly millisecondsPerForecast: number;
  /** 0 for none. */
  readonly barCpuSeconds: number;
}

const BAR_CPU_SECONDS = 15;
const JOBS = 500;

/** A way to lay out texts, and what becomes of their characters. */
type Variant = Pick<TrainingSettings, 'shape' | 'transform'>;
const VARIANTS: readonly Variant[] = SHAPES.flatMap((shape) => TRANSFORMS.map((transform) => ({ shape, transform })));

/**
 * A training event from the beginning, of 500 generated scripts and 10 epochs.
 * @param variants every one of the paper unless told
 */
export async function benchTraining(
  { readMilliseconds, onProgress }: Omit<BenchInstruments, 'readResidentBytes'>,
  variants = VARIANTS,
): Promise<TrainingBenchRow[]> {
  const rows: TrainingBenchRow[] = [];
  for (const [i, { shape, transform }] of variants.entries()) {
    onProgress?.(i, variants.length, `${shape} ${transform}`);
    const request = requestOf({ shape, transform });
    const trained = await new TrainerProcess().train(request);
    if (!trained) throw new Error(`the process that trains ${shape} ${transform} died`);
    const { cpuSeconds, memoryBytes, losses } = trained.cost;
    const isOwn = shape === PRIONN_DEFAULTS.shape && transform === PRIONN_DEFAULTS.transform;
    rows.push({
      variant: `${shape} ${transform}`,
      cpuSeconds: rounded(cpuSeconds),
      memoryMegabytes: Math.round(memoryBytes / 1e6),
      firstLoss: rounded(losses[0] ?? 0),
      lastLoss: rounded(losses.at(-1) ?? 0),
      millisecondsPerForecast: rounded(forecastMilliseconds(request, { ...trained.state, id: '' }, readMilliseconds)),
      barCpuSeconds: isOwn ? BAR_CPU_SECONDS : 0,
    });
  }
  return rows;
}

/** What a predictor asks its trainer for after that many jobs. */
function requestOf({ shape, transform }: Variant): TrainingRequest {
  let asked: TrainingRequest | null = null;
  const parameters = { ...PRIONN_DEFAULTS, shape, transform, every: JOBS };
  const predictor = new Prionn(parameters, {
    train(request) {
      asked = request;
      return { result: () => undefined, hasFailed: () => false };
    },
  });
  const records = withScripts(simulatedRecords(1, JOBS, 256));
  for (const record of records) if (hasEnded(record)) predictor.ended(record);
  for (let i = 0; i < JOBS; i++) predictor.submitted(records[i]);
  if (!asked) throw new Error('no training event was asked for');
  return asked;
}

function forecastMilliseconds(
  { settings, samples }: TrainingRequest,
  state: TrainedState,
  readMilliseconds: () => number,
): number {
  const network = servingNetwork(settings, state);
  const square = settings.side ** 2;
  const began = readMilliseconds();
  for (let i = 0; i < samples.count; i++)
    network.probabilities(samples.characters.subarray(i * square, (i + 1) * square));
  return (readMilliseconds() - began) / samples.count;
}

function rounded(value: number): number {
  return Math.round(100 * value) / 100;
}
