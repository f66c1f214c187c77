import { relativePointSeconds } from '../../domain/forecast.ts';
import type { ExperimentRow } from '../experiment.ts';
import { rounded } from '../report/rounded.ts';
import { type AccuracyScore, accuracyScore, type SaidAmount } from './accuracy-scorer.ts';
import type { CpuSpent, FollowedJob } from './followed-jobs.ts';

const MINUTE = 60;

/** What is asked of a row, each with its figures under a name of its own. */
export interface RowOptions {
  readonly name: string;
  /** Whether the runtimes said are those of the row, or only what bandwidths are made with. */
  readonly scoresRuntime: boolean;
  readonly cpu: CpuSpent;
  readonly facts: Readonly<Record<string, number | string>>;
}

/** The row of a predictor; figures that rest on no job are left out. */
export function scriptRow(
  jobs: readonly FollowedJob[],
  { name, scoresRuntime, cpu, facts }: RowOptions,
): ExperimentRow {
  const runtimes = scoresRuntime ? jobs.flatMap(runtimeOf) : [];
  const minutes = runtimes.map((said) => mapped(said, (seconds) => Math.round(seconds / MINUTE)));
  const answered = scoresRuntime ? runtimes : jobs.flatMap((job) => bytesOf(job, 'read'));
  return {
    name,
    jobs: answered.length,
    unanswered: jobs.length - answered.length,
    ...figures('minutes', accuracyScore(minutes)),
    ...figures('runtime', accuracyScore(runtimes)),
    ...figures('read', accuracyScore(jobs.flatMap((job) => bytesOf(job, 'read')))),
    ...figures('written', accuracyScore(jobs.flatMap((job) => bytesOf(job, 'written')))),
    ...figures('readBandwidth', accuracyScore(jobs.flatMap((job) => bandwidthOf(job, 'read')))),
    ...figures('writtenBandwidth', accuracyScore(jobs.flatMap((job) => bandwidthOf(job, 'written')))),
    learningCpuSeconds: rounded(cpu.learningSeconds, 1) as number,
    cpuMillisecondsPerForecast: rounded((1000 * cpu.forecastingSeconds) / Math.max(1, cpu.forecasts), 3) as number,
    ...facts,
  };
}

function figures(amount: string, score: AccuracyScore | null): Record<string, number> {
  if (!score) return {};
  const digits = (value: number) => rounded(value, 4) as number;
  return {
    [`${amount}Accuracy`]: digits(score.meanAccuracy),
    [`${amount}AccuracyMedian`]: digits(score.medianAccuracy),
    [`${amount}RelativePoint`]: digits(score.meanAccuracyOfRelativePoint),
    [`${amount}RelativePointMedian`]: digits(score.medianAccuracyOfRelativePoint),
    [`${amount}Mae`]: Number(score.meanAbsoluteError.toPrecision(4)),
  };
}

function runtimeOf({ said: { runtime }, seconds }: FollowedJob): SaidAmount[] {
  if (!runtime || !Number.isFinite(runtime.pointSeconds)) return [];
  const { pointSeconds: point } = runtime;
  return [{ point, relativePoint: finiteOr(relativePointSeconds(runtime), point), actual: seconds }];
}

function bytesOf({ said, readBytes, writtenBytes }: FollowedJob, which: 'read' | 'written'): SaidAmount[] {
  const [forecast, actual] = which === 'read' ? [said.read, readBytes] : [said.written, writtenBytes];
  if (!forecast || actual === null || !Number.isFinite(forecast.pointBytes)) return [];
  const { pointBytes: point, quantileBytes } = forecast;
  const relativePoint = finiteOr(relativePointSeconds({ quantileSeconds: quantileBytes }), point);
  return [{ point, relativePoint, actual }];
}

/** Bytes for each second, by the runtime that was forecast; a second at least. */
function bandwidthOf(job: FollowedJob, which: 'read' | 'written'): SaidAmount[] {
  const [bytes] = bytesOf(job, which);
  const [runtime] = runtimeOf(job);
  if (!bytes || !runtime) return [];
  const per = (amount: number, seconds: number) => amount / Math.max(1, seconds);
  return [
    {
      point: per(bytes.point, runtime.point),
      relativePoint: per(bytes.relativePoint, runtime.relativePoint),
      actual: per(bytes.actual, job.seconds),
    },
  ];
}

function mapped({ point, relativePoint, actual }: SaidAmount, by: (amount: number) => number): SaidAmount {
  return { point: by(point), relativePoint: by(relativePoint), actual: by(actual) };
}

function finiteOr(value: number, otherwise: number): number {
  return Number.isFinite(value) ? value : otherwise;
}
