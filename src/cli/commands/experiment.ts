import { availableParallelism } from 'node:os';
import type { ExperimentResult } from '../../experiment/experiment.ts';
import { EXPERIMENTS } from '../../experiment/registry.ts';
import { toHtml } from '../../experiment/report/html-report.ts';
import { tablesOf, toCsv, toJson } from '../../experiment/report/report.ts';
import type { PartsComputer } from '../../experiment/run/part-threads.ts';
import { runExperiment } from '../../experiment/run/run-experiment.ts';
import { settingsText } from '../../experiment/told-settings.ts';
import { CliFailure, EXIT } from '../failure.ts';
import { assertReadable, assertWritable, readGiven, writeGiven } from '../files.ts';
import { startProgress } from '../render/progress.ts';
import { renderTable } from '../render/table.ts';
import type { Session } from '../session.ts';
import { rangeOf, readable, type SourceOptions, sourceOf } from './offline.ts';
import { type WorkersOptions, withWorkers } from './with-workers.ts';

interface ExperimentOptions extends Omit<SourceOptions, 'trace'>, WorkersOptions {
  readonly trace?: readonly string[];
  readonly set?: readonly string[];
  readonly share?: number;
  readonly cap?: number;
  readonly peer?: readonly string[];
  readonly threads?: number;
  readonly json?: boolean | string;
  readonly csv?: string;
  readonly html?: string;
  readonly tuned?: readonly string[];
}

/** `gridcast experiment [NAME]` */
export async function runExperimentCommand(
  { output }: Session,
  options: ExperimentOptions,
  name?: string,
): Promise<void> {
  if (!name) {
    assertNotTakenForFile(options.json);
    const known = EXPERIMENTS.map(({ name: one, describe, parameters }) => ({ name: one, describe, parameters }));
    output.result(known, () => renderKnown(known));
    return;
  }
  for (const file of [options.json, options.csv, options.html]) assertWritable(fileOf(file));
  const { trace: [trace, ...alsoTraces] = [], ...rest } = options;
  assertTakesLogs(name, alsoTraces.length + 1);
  if (options.workers === undefined) for (const file of alsoTraces) assertReadable(file, 'log');
  const range = trace === undefined ? undefined : rangeOf(rest);
  const progress = startProgress(name, 100, output.json);
  const compute = (computer: PartsComputer | undefined) =>
    runExperiment(name, {
      ...(computer && { computer }),
      source: sourceOf({ ...rest, ...(trace !== undefined && { trace }) }),
      parameters: toldOnce(parametersOf(options.set ?? []), {
        ...shorthands(options),
        ...(trace !== undefined && options.processors !== undefined && { processors: options.processors }),
        ...tunedSettings(options.tuned ?? []),
        ...(alsoTraces.length > 0 && { alsoTraces: fileList('--trace', alsoTraces) }),
      }),
      threads: options.threads ?? availableParallelism(),
      ...(range && { range }),
      ...(options.seed !== undefined && { seed: options.seed }),
      onProgress: (done, total) => progress.update(done, 'jobs', total),
    });
  const result = await readable(() => withWorkers(options, compute)).finally(() => progress.stop());
  const written = writeReports(result, options);
  output.result(result, () => [renderResult(result), ...written.map((file) => `written to ${file}`)].join('\n\n'));
}

/** @throws CliFailure when the name of an experiment stands where a file may be named */
function assertNotTakenForFile(json: ExperimentOptions['json']): void {
  if (!EXPERIMENTS.some(({ name }) => name === json)) return;
  const message = `${json} was taken for the file of --json, so that no experiment is named`;
  throw new CliFailure(message, EXIT.usage, `name it first: gridcast experiment ${json} --json`);
}

/** @throws CliFailure where an experiment of one site is told more logs */
function assertTakesLogs(experiment: string, logs: number): void {
  const known = EXPERIMENTS.find(({ name }) => name === experiment);
  if (logs === 1 || !known || known.parameters.alsoTraces !== undefined) return;
  throw new CliFailure(`${experiment} takes one log, and --trace names ${logs}`, EXIT.usage, 'name one of them');
}

/** Writes the files that were asked for; returns their names. */
function writeReports(result: ExperimentResult, { json, csv, html }: ExperimentOptions): string[] {
  const wanted = [
    [json, toJson],
    [csv, toCsv],
    [html, toHtml],
  ] as const;
  return wanted.flatMap(([file, render]) => {
    const path = fileOf(file);
    if (path !== undefined) writeGiven(path, render(result));
    return path ?? [];
  });
}

/** The file that an option names; undefined for one that is left out, or says no file. */
function fileOf(option: boolean | string | undefined): string | undefined {
  return typeof option === 'string' ? option : undefined;
}

function renderKnown(known: readonly { name: string; describe: string; parameters: object }[]): string {
  const rows = known.map(({ name, describe, parameters }) => [name, describe, Object.keys(parameters).join(', ')]);
  return renderTable(['experiment', 'shows', 'parameters (--set NAME=VALUE)'], rows);
}

/** All parameters. @throws CliFailure for one that `--set` and an option of its own tell, of which one would be lost */
function toldOnce<Value>(set: Record<string, string>, byOptions: Record<string, Value>) {
  const twice = Object.keys(byOptions).find((name) => set[name] !== undefined);
  if (twice === undefined) return { ...set, ...byOptions };
  const option = { settings: 'tuned', alsoTraces: 'trace' }[twice] ?? twice;
  throw new CliFailure(`parameter ${twice} is told twice, by --set and by --${option}`, EXIT.usage, 'tell it once');
}

/** Parameters that have an option of their own. */
function shorthands({ share, cap, peer }: ExperimentOptions): Record<string, number | string> {
  return {
    ...(share !== undefined && { share }),
    ...(cap !== undefined && { cap }),
    ...(peer !== undefined && { peer: fileList('--peer', peer) }),
  };
}

/** Files as the text of a parameter. @throws CliFailure for a name that would be taken for two, or for none */
function fileList(option: string, files: readonly string[]): string {
  if (files.includes('')) throw new CliFailure(`${option} "" names no file`, EXIT.usage);
  const odd = files.find((file) => file.includes(','));
  if (odd === undefined) return files.join(',');
  throw new CliFailure(
    `${option} "${odd}" has a comma in its name`,
    EXIT.usage,
    'give it a name or a link without one',
  );
}

/** The experiment's parameter `settings` from files of tuned parameters, if there are any. */
function tunedSettings(files: readonly string[]): { settings?: string } {
  if (files.length === 0) return {};
  return { settings: settingsText(files.map((name) => ({ name, text: readGiven(name, 'file of tuned parameters') }))) };
}

/** Parameters from `NAME=VALUE` texts. @throws CliFailure for other texts, and for a name that two of them have */
export function parametersOf(texts: readonly string[]): Record<string, string> {
  const told = texts.map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw new CliFailure(`--set "${text}" has no value`, EXIT.usage, 'write --set NAME=VALUE');
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  const twice = told.find(([name], i) => told.findIndex(([other]) => other === name) < i);
  if (twice) throw new CliFailure(`parameter ${twice[0]} is told twice by --set`, EXIT.usage, 'tell it once');
  return Object.fromEntries(told);
}

function renderResult(result: ExperimentResult): string {
  const { trace, jobs, range, seed, parameters, notes } = result;
  const told = Object.entries(parameters).filter(([, value]) => value !== '');
  const tables = tablesOf(result).map(({ title, metrics, rows }) => {
    const cells = rows.map((row) => [row.name, ...metrics.map((metric) => shortly(row[metric]))]);
    return renderTable([title ?? '', ...metrics], cells);
  });
  return [
    `${jobs} jobs of ${trace} (${range.from} to ${range.to - 1}), seed ${seed}`,
    `parameters: ${told.map(([name, value]) => `${name}=${value}`).join(' ')}`,
    ...notes,
    ...tables,
  ].join('\n\n');
}

function shortly(value: number | string | undefined): string | undefined {
  if (typeof value !== 'number') return value;
  if (Number.isNaN(value)) return undefined;
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
}
