import type { JobRequest } from '../../domain/job.ts';
import { hasEnded, hasStarted, type JobRecord, requestOf } from '../../domain/job.ts';
import { partitionPoint } from '../../domain/partition-point.ts';
import { submissionOf } from '../../predict/past/reveal.ts';
import type { RuntimePredictor } from '../../predict/predictor.ts';
import type { Cluster } from '../../sim/cluster.ts';
import type { SecondsToRun } from '../../sim/look-ahead.ts';
import { RandomStream } from '../../sim/random.ts';

/**
 * How long the jobs of a site will run, as a predictor said at their submissions. Several courses of things are thought
 * of, each with a runtime of every job: a percentile that is drawn once, spread evenly over the courses. A job that
 * outran part of its percentiles has one of the others.
 */
export class ExpectedRuntimes {
  private readonly said = new Map<number, readonly number[]>();
  private readonly draws = new Map<number, number>();
  private readonly random: RandomStream;

  constructor(
    private readonly predictor: RuntimePredictor,
    /** How many courses of things are thought of. */
    readonly courses: number,
    seed: number,
  ) {
    this.random = new RandomStream(seed);
  }

  /** The 99 percentiles of a job's runtime, within its walltime, which stand in where nothing is known. */
  percentilesOf(job: JobRequest, walltimeSeconds: number, now: number): readonly number[] {
    const { quantileSeconds } = this.predictor.predict(requestOf(job), null, now);
    return quantileSeconds.map((seconds) => Math.max(1, Math.min(seconds, walltimeSeconds)));
  }

  /** A job was handed in of which this is expected; by the predictor unless told. */
  submitted(row: number, record: JobRecord, expected?: readonly number[]): void {
    const { submitAt, requestedWalltimeSeconds } = record;
    const walltimeSeconds = requestedWalltimeSeconds ?? Number.POSITIVE_INFINITY;
    this.said.set(row, expected ?? this.percentilesOf(record, walltimeSeconds, submitAt));
    this.draws.set(row, this.random.uniform());
    this.predictor.submitted?.(submissionOf(record));
  }

  started(record: JobRecord): void {
    if (hasStarted(record)) this.predictor.started?.(record);
  }

  ended(row: number, record: JobRecord): void {
    this.said.delete(row);
    this.draws.delete(row);
    if (hasEnded(record)) this.predictor.ended?.(record);
  }

  /** With which probability, as it is thought at its submission, a job runs no longer than in a course. */
  probabilityIn(number: number, row: number): number {
    return ((this.draws.get(row) ?? 0.5) + number / this.courses) % 1;
  }

  /** The runtimes of one course, from 0 on. */
  course(number: number, cluster: Cluster): SecondsToRun {
    const { startAt, expectedEndAt, walltimeSeconds } = cluster.table.columns;
    return (row, isRunning) => {
      const said = this.said.get(row);
      if (!said) return walltimeSeconds[row] as number;
      const probability = this.probabilityIn(number, row);
      if (!isRunning) return said[Math.floor(probability * said.length)] as number;
      const ran = cluster.now - (startAt[row] as number);
      const outrun = partitionPoint(said.length, (index) => (said[index] as number) <= ran);
      if (outrun === said.length) return Math.min((expectedEndAt[row] as number) - cluster.now, ran * LONGER);
      return (said[outrun + Math.floor(probability * (said.length - outrun))] as number) - ran;
    };
  }
}

/** A job that outran all its percentiles is thought to run half as long again as it has. */
const LONGER = 0.5;
