import type { BytesForecast, RuntimeForecast } from '../../domain/forecast.ts';
import { hasRun, type JobRecord, type JobRequest, ranSeconds, requestOf, wasTakenDown } from '../../domain/job.ts';
import { knownBytes } from '../../predict/io/known-bytes.ts';
import { tell } from '../../predict/past/tell.ts';
import { watchPast } from '../../predict/past/watched-past.ts';
import type { BytesPredictor, Predictor, RuntimePredictor } from '../../predict/predictor.ts';

/** Who is asked about each job; null for a quantity that is not asked for. */
export interface AskedPredictors {
  readonly runtime: RuntimePredictor | null;
  readonly read: BytesPredictor | null;
  readonly written: BytesPredictor | null;
}

/** A job that ran, with what was said of it when it was submitted and what came of it. */
export interface FollowedJob {
  readonly said: {
    readonly runtime: RuntimeForecast | null;
    readonly read: BytesForecast | null;
    readonly written: BytesForecast | null;
  };
  readonly seconds: number;
  /** Null where they are not told. */
  readonly readBytes: number | null;
  readonly writtenBytes: number | null;
}

/** CPU time of the whole process. */
export interface CpuSpent {
  learningSeconds: number;
  forecastingSeconds: number;
  forecasts: number;
}

export interface FollowOptions {
  readonly processors: number;
  /** Jobs at the beginning that only teach. */
  readonly history: number;
  onProgress(doneJobs: number): void;
}

/** Replays a log by its clock: predictors are asked about jobs as they are submitted, and told what becomes known. */
export function followJobs(
  records: readonly JobRecord[],
  { runtime, read, written }: AskedPredictors,
  { processors, history, onProgress }: FollowOptions,
): { readonly jobs: FollowedJob[]; readonly cpu: CpuSpent } {
  const cpu: CpuSpent = { learningSeconds: 0, forecastingSeconds: 0, forecasts: 0 };
  const asked = new Map<number, FollowedJob['said']>();
  const jobs: FollowedJob[] = [];
  const predictors = [runtime, read, written].filter((one) => one !== null);
  const sights = watchPast(records, { processors, snapshotSeconds: Number.POSITIVE_INFINITY });
  for (const sight of sights) {
    if (sight.kind === 'snapshot') continue;
    const before = cpuSeconds();
    if (sight.kind === 'submit' && sight.job >= history) {
      const ask = asker(sight.submission, sight.at);
      asked.set(sight.job, { runtime: ask(runtime), read: ask(read), written: ask(written) });
      cpu.forecasts++;
    }
    const between = cpuSeconds();
    for (const predictor of predictors) tell(predictor, sight);
    cpu.forecastingSeconds += between - before;
    cpu.learningSeconds += cpuSeconds() - between;
    if (sight.kind === 'submit' && sight.job % 100 === 0) onProgress(sight.job);
    const said = sight.kind === 'end' ? asked.get(sight.job) : undefined;
    if (!said || sight.kind !== 'end' || !hasRun(sight.record) || wasTakenDown(sight.record)) continue;
    jobs.push({
      said,
      seconds: ranSeconds(sight.record),
      readBytes: knownBytes(sight.record, 'readBytes'),
      writtenBytes: knownBytes(sight.record, 'writtenBytes'),
    });
  }
  return { jobs, cpu };
}

function asker(submission: JobRequest, at: number) {
  const request = requestOf(submission);
  return <Forecast>(predictor: Predictor<JobRequest, Forecast> | null): Forecast | null =>
    predictor?.predict(request, null, at) ?? null;
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
