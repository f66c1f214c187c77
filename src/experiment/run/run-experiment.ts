import { DAY_SECONDS } from '../../domain/clock.ts';
import { toRecords } from '../../sim/records.ts';
import type { Remarks, Workload } from '../../sim/workload.ts';
import { supplyWaitingTrainer } from '../../training/supply.ts';
import type {
  Experiment,
  ExperimentResult,
  ExperimentRow,
  Figure,
  Parameters,
  ParameterValue,
  PartInput,
} from '../experiment.ts';
import { experimentNamed } from '../registry.ts';
import { takenOf, type WorkloadSource, workloadOf } from '../simulate.ts';
import { assertScored } from './assert-scored.ts';
import { computeOnThreads, type PartListener, type PartsComputer, type ToldParts } from './part-threads.ts';

export interface RunExperimentOptions {
  readonly source: WorkloadSource;
  /** The jobs to take, by their order in the trace; all unless told. */
  readonly range?: { readonly from: number; readonly count: number };
  /** 1 unless told. */
  readonly seed?: number;
  /** Values for some of the experiment's parameters; texts are read as what the parameter is. */
  readonly parameters?: Readonly<Record<string, ParameterValue>>;
  /** How many parts are computed at a time; 1, the caller's own thread, unless told. */
  readonly threads?: number;
  /** Who computes the parts instead. */
  readonly computer?: PartsComputer;
  /** Told how many jobs of all parts together are done. */
  readonly onProgress?: (doneJobs: number, totalJobs: number) => void;
}

/**
 * Computes an experiment by name: what `gridcast experiment NAME` does. The rows do not depend on the number of
 * threads, nor on who computes the parts.
 * @throws RangeError for an unknown experiment or parameter, WorkloadError for a bad trace
 */
export async function runExperiment(name: string, options: RunExperimentOptions): Promise<ExperimentResult> {
  supplyWaitingTrainer();
  const experiment = experimentNamed(name);
  const parameters = settle(experiment, options.parameters ?? {});
  const parts = experiment.parts(parameters);
  const whole = await workloadOf(options.source);
  const range = options.range ?? { from: 0, count: whole.length };
  const workload = options.range ? takenOf(whole, range) : whole;
  const readWith = new Map(workload.remarks);
  const seed = options.seed ?? 1;
  const figures = new Map<string, Figure[]>(parts.map((part) => [part, []]));
  const listener: PartListener = {
    onProgress: progressOfParts(parts.length * workload.length, options.onProgress),
    onFigure: (part, figure) => void figures.get(part)?.push(figure),
  };
  const told = { name, seed, parameters, source: options.source, range };
  const compute = options.computer ?? computerHere(experiment, workload, options.threads ?? 1);
  const computed = await compute(told, parts, listener);
  assertScored(computed, workload, parameters);
  const concluded = experiment.conclude?.(computed) ?? computed;
  const rows = [...(experiment.paperRows?.(workload.name, parameters) ?? []), ...concluded];
  return {
    experiment: name,
    trace: workload.name,
    jobs: workload.length,
    range: { from: range.from, to: range.from + workload.length },
    seed,
    parameters,
    rows: rows.map(onlyFinite),
    notes: [...(experiment.notes?.(workload.name) ?? []), ...remarksOn(workload, readWith)],
    tables: experiment.tables ?? [],
    figures: merged([...figures.values()].flat()),
  };
}

/** A row without its metrics that are not finite: means of nothing, and bounds that too little is known of. */
function onlyFinite({ name, ...metrics }: ExperimentRow): ExperimentRow {
  const isFigure = ([, value]: [string, number | string]) => typeof value === 'string' || Number.isFinite(value);
  return { name, ...Object.fromEntries(Object.entries(metrics).filter(isFigure)) };
}

/**
 * What was left out or changed of a log, on the way in and as records, each once however many parts read them.
 * @param readWith remarks of the log before any part ran
 */
function remarksOn(workload: Workload, readWith: Remarks): string[] {
  const again = workload.slice(0, workload.length);
  again.remarks.clear();
  toRecords(again);
  return [...readWith, ...again.remarks].map(([reason, count]) => `of the log, ${count} x ${reason}`);
}

/** Adds up how many jobs of each part are done. */
function progressOfParts(
  total: number,
  onProgress: RunExperimentOptions['onProgress'],
): (part: string, done: number) => void {
  const doneJobs = new Map<string, number>();
  return (part, done) => {
    doneJobs.set(part, done);
    const sum = [...doneJobs.values()].reduce((all, jobs) => all + jobs, 0);
    onProgress?.(sum, total);
  };
}

/** Figures of one title as one, with each series once. */
function merged(figures: readonly Figure[]): Figure[] {
  const byTitle = new Map<string, Figure>();
  for (const figure of figures) {
    const before = byTitle.get(figure.title)?.series ?? [];
    const known = new Set(before.map(({ name }) => name));
    const series = [...before, ...figure.series.filter(({ name }) => !known.has(name))];
    byTitle.set(figure.title, { ...figure, series });
  }
  return [...byTitle.values()];
}

function computerHere(experiment: Experiment, workload: Workload, threads: number): PartsComputer {
  return (told, parts, listener) =>
    Math.min(threads, parts.length) > 1
      ? computeOnThreads(told, parts, Math.min(threads, parts.length), listener)
      : computeHere(experiment, workload, told, parts, listener);
}

async function computeHere(
  experiment: Experiment,
  workload: Workload,
  { seed, parameters }: ToldParts,
  parts: readonly string[],
  { onProgress, onFigure }: PartListener,
): Promise<ExperimentRow[]> {
  const rows: ExperimentRow[] = [];
  for (const part of parts) {
    const input: PartInput = {
      workload,
      seed,
      parameters,
      onProgress: (done) => onProgress(part, done),
      onFigure: (figure) => onFigure(part, figure),
    };
    rows.push(...(await experiment.runPart(part, input)));
  }
  return rows;
}

/** The experiment's parameters with what was told in place of its own values. */
function settle(experiment: Experiment, told: Readonly<Record<string, ParameterValue>>): Parameters {
  const settled: Record<string, ParameterValue> = { ...experiment.parameters };
  for (const [name, value] of Object.entries(told)) {
    const own = experiment.parameters[name];
    if (own === undefined) {
      const known = Object.keys(experiment.parameters).join(', ');
      throw new RangeError(`${experiment.name} has no parameter ${name}; it has ${known}`);
    }
    settled[name] = readAs(typeof own, name, value);
    if (typeof own === 'number') assertPossible(name, own, settled[name] as number);
  }
  return settled;
}

/**
 * No amount is below 0, intervals that are not 0 without being told take time, no time is longer than a quarter of a
 * year, for a lead is looked at step by step, and what is counted is whole.
 */
function assertPossible(name: string, own: number, value: number): void {
  const isTime = /Seconds$/.test(name);
  const isInterval = own > 0 && isTime;
  const isCount = COUNTS.includes(name) || /Jobs$|Per[A-Z]/.test(name);
  const least = isInterval || name === 'every' ? 1 : 0;
  const most = name === 'share' ? 100 : isTime ? LONGEST_SECONDS : Number.POSITIVE_INFINITY;
  if (value >= least && value <= most && (!isCount || Number.isInteger(value))) return;
  const range = most < Number.POSITIVE_INFINITY ? `from ${least} to ${most}` : `from ${least} on`;
  throw new RangeError(`parameter ${name} must be a ${isCount ? 'whole ' : ''}number ${range}, not ${value}`);
}

const LONGEST_SECONDS = 92 * DAY_SECONDS;

/** Parameters that count something, beside those whose names end in `Jobs` or say per what. */
const COUNTS: readonly string[] =
  'every jobs processors smoothing history deadlines molded courses mostSizes chains gpuNodes'.split(' ');

function readAs(type: string, name: string, value: ParameterValue): ParameterValue {
  if (typeof value === type) return value;
  if (type === 'string') return String(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  const number = Number(value);
  if (type === 'number' && value !== '' && Number.isFinite(number)) return number;
  throw new RangeError(`parameter ${name} must be a ${type}, not ${JSON.stringify(value)}`);
}
