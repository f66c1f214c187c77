import { NOTHING_KNOWN } from '../../domain/forecast.ts';
import type { Workload } from '../../sim/workload.ts';
import type { Parameters, PartInput } from '../experiment.ts';
import { machineOf } from '../simulate.ts';
import { toldPredictor } from '../told-settings.ts';
import { readPeer } from './peer-forecasts.ts';
import type { WaitJobs } from './wait-jobs.ts';
import { replayWaits } from './wait-replay.ts';
import { type WaitRowScore, WaitScoring } from './wait-scoring.ts';

/** What the parts begin with that are files of another program's forecasts. */
export const PEER = 'peer/';

/** A row's name and what it rests on. */
export type NamedScore = readonly [name: string, score: WaitRowScore];

/** What a predictor says of the jobs; for QBETS its bound as a point, too, as the paper does. */
export function scorePredictor(
  part: string,
  jobs: WaitJobs,
  { workload, parameters, onProgress }: PartInput,
): NamedScore[] {
  const predictor = toldPredictor(part, parameters);
  const processors = processorsOf(workload, parameters);
  const own = scoringOf(jobs, processors);
  const bound = predictor.name === 'wait/qbets' ? scoringOf(jobs, processors) : null;
  replayWaits(predictor, jobs, {
    snapshotSeconds: Number(parameters.snapshotSeconds),
    processors,
    onForecast: (forecast, record) => {
      own.add(forecast, record);
      bound?.add({ ...forecast, pointSeconds: forecast.quantileSeconds[94] ?? 0 }, record);
    },
    onProgress,
  });
  return [[part, own.score()], ...(bound ? [['wait/qbets/bound95', bound.score()] as const] : [])];
}

/** What another program said of the jobs; those that it left out are not answered. */
export function scorePeer(part: string, jobs: WaitJobs, input: PartInput): NamedScore[] {
  const { workload, parameters, onProgress } = input;
  const told = readPeer(part.slice(PEER.length), input.pathOf);
  const scoring = scoringOf(jobs, processorsOf(workload, parameters));
  const scored = jobs.records.filter((_, job) => jobs.isScored[job] === 1);
  const answered = scored.filter(({ nativeId }) => told.has(nativeId));
  if (answered.length === 0) {
    throw new RangeError(
      `parameter peer: ${part.slice(PEER.length)} tells none of the scored jobs ${jobs.first}-${jobs.last}`,
    );
  }
  for (const record of scored) scoring.add(told.get(record.nativeId) ?? UNANSWERED, record);
  onProgress(jobs.records.length);
  return [[part, scoring.score()]];
}

const UNANSWERED = { pointSeconds: Number.POSITIVE_INFINITY, quantileSeconds: NOTHING_KNOWN };

function scoringOf(jobs: WaitJobs, processors: number): WaitScoring {
  assertSomeWaited(jobs);
  const { records, isScored } = jobs;
  const historyFrom = records[0]?.submitAt ?? 0;
  return new WaitScoring(
    { processors, historyFrom },
    isScored.reduce((sum, one) => sum + one, 0),
  );
}

function processorsOf(workload: Workload, parameters: Parameters): number {
  return machineOf(workload, Number(parameters.processors) || undefined);
}

/** @throws RangeError where there is nothing to score, as in a generated workload */
function assertSomeWaited({ records, isScored, first, last }: WaitJobs): void {
  if (records.some(({ startAt }, job) => isScored[job] === 1 && startAt !== null)) return;
  const remedy = 'take a log that tells when jobs started (--trace FILE)';
  throw new RangeError(`of the jobs ${first}-${last} the log tells no wait: there is nothing to score; ${remedy}`);
}
