import type { Workload } from '../sim/workload.ts';

/** A value that an experiment can be told. */
export type ParameterValue = number | string | boolean;
export type Parameters = Readonly<Record<string, ParameterValue>>;

/**
 * One line of a result: the name of a predictor or strategy (`wait/apq`; `paper/...` for a paper's own figures) and
 * metrics in camelCase with their units (`aaeHours`, `coverage90`).
 */
export type ExperimentRow = { readonly name: string } & { readonly [metric: string]: number | string };

/** What every experiment gives back. */
export interface ExperimentResult {
  readonly experiment: string;
  readonly trace: string;
  /** How many jobs of the trace were used. */
  readonly jobs: number;
  /** Which ones, by their order in the trace: from the first, up to and without the last. */
  readonly range: { readonly from: number; readonly to: number };
  readonly seed: number;
  readonly parameters: Parameters;
  readonly rows: readonly ExperimentRow[];
  /** What to know before the rows are compared with a paper's. */
  readonly notes: readonly string[];
  /** How the metrics are put into tables; one with all of them when there is none. */
  readonly tables: readonly TableOfMetrics[];
  /** To be plotted beside the rows. */
  readonly figures: readonly Figure[];
}

/** Some metrics that belong together. */
export interface TableOfMetrics {
  readonly title: string;
  readonly metrics: readonly string[];
}

/** Lines over a common axis. */
export interface Figure {
  readonly title: string;
  /** What the axes show, with units. */
  readonly x: string;
  readonly y: string;
  readonly series: readonly { readonly name: string; readonly points: readonly (readonly [number, number])[] }[];
}

/** What a part of an experiment works on. */
export interface PartInput {
  readonly workload: Workload;
  readonly seed: number;
  readonly parameters: Parameters;
  /** To be told now and then how many of the workload's jobs are done. */
  onProgress(doneJobs: number): void;
  /** Where this machine has a file that a parameter names; as it is named unless told. */
  pathOf?(file: string): string;
  /**
   * To be given what is worth a plot. Figures of one title become one, in the order of the parts; a series of the same
   * name is drawn once.
   */
  onFigure?(figure: Figure): void;
}

/**
 * A table of a paper, or of our own, that can be computed again. Deterministic: same workload, seed and parameters,
 * same rows.
 */
export interface Experiment {
  readonly name: string;
  /** What it shows and where it comes from, in a sentence. */
  readonly describe: string;
  /** Everything it can be told, with the values it takes otherwise. */
  readonly parameters: Parameters;
  /** Names of the parameters that list files, separated by commas. */
  readonly files?: readonly string[];
  /** Names of the pieces that can be computed apart, on threads of their own; rows come in their order. */
  parts(parameters: Parameters): readonly string[];
  runPart(part: string, input: PartInput): readonly ExperimentRow[] | Promise<readonly ExperimentRow[]>;
  /** What the rows of all parts say beside each other, in their order. */
  conclude?(rows: readonly ExperimentRow[]): readonly ExperimentRow[];
  /** The paper's own figures for this trace, to be shown beside ours. */
  paperRows?(trace: string, parameters: Parameters): readonly ExperimentRow[];
  /** How this trace differs from the paper's. */
  notes?(trace: string): readonly string[];
  readonly tables?: readonly TableOfMetrics[];
}
