import { NOTHING_KNOWN, relativePointSeconds, withinPercentiles } from '../../domain/forecast.ts';
import { type EndedRecord, hasRun, type JobRequest, ranSeconds, wasTakenDown } from '../../domain/job.ts';
import type { Keeping } from '../../domain/kept-classes.ts';
import { knownBytes } from '../io/known-bytes.ts';
import type { SiteListener } from '../predictor.ts';
import type { Spread } from '../quantity.ts';
import { charactersOf } from './characters.ts';
import { ClassValues } from './class-values.ts';
import { HEADS } from './classes.ts';
import { jobText } from './job-text.ts';
import type { PrionnParameters } from './prionn-parameters.ts';
import { type ServingNetwork, servingNetwork } from './serving-network.ts';
import type { TrainedState, Trainer, TrainingRequest, TrainingSamples, TrainingUnderWay } from './training.ts';

/** Events of a past that is lived through in which it trains: before them no time is spent. */
const PAST_EVENTS = 10;

/** A job that has ended, as it is learned from. */
interface Lesson {
  readonly characters: Uint8Array;
  /** Runtime, bytes read and bytes written; null where it is not known. */
  readonly values: readonly (number | null)[];
}

/** A training event, with what its jobs tell of the values in the classes. */
interface Event {
  readonly request: TrainingRequest;
  readonly training: TrainingUnderWay;
  readonly values: readonly ClassValues[];
}

/**
 * PRIONN (Wyatt et al. 2018, ICPP): a network that reads a job's text as a picture of characters and says how long it
 * runs and how much it reads and writes. After every so many submissions it is taught further, by the last jobs that
 * ended. What one training event made serves from the next one on; where it is not there by then, from when it is, and
 * until then the network before it, and before the first one how often each class came. An event that failed leaves
 * what there was, and the next one teaches again.
 */
export class Prionn implements SiteListener {
  private readonly lessons: Lesson[] = [];
  /** What the lessons tell by now; null until it is asked for. */
  private soFar: readonly ClassValues[] | null = null;
  private submissions = 0;
  private underWay: Event | null = null;
  /** Whether the result was not there when it was to serve. */
  private isLate = false;
  private state: TrainedState | null = null;
  private serving: { readonly network: ServingNetwork; readonly values: readonly ClassValues[] } | null = null;

  /** An event that is under way is begun again, from the same: the same comes of it. */
  static readonly keeping: Keeping<Prionn> = {
    save({ parameters: _parameters, trainer: _trainer, underWay, serving, ...kept }) {
      const event = underWay && { request: underWay.request, values: underWay.values };
      return { ...kept, underWay: event, serving: serving && { values: serving.values } };
    },
    load(one, saved) {
      const { underWay, serving, ...kept } = saved as {
        underWay: Event | null;
        serving: { values: readonly ClassValues[] } | null;
      };
      Object.assign(one, kept);
      one.underWay = underWay && { ...underWay, training: one.trainer.train(underWay.request) };
      one.serving = serving && { ...serving, network: servingNetwork(one.parameters, one.state as TrainedState) };
    },
  };

  constructor(
    private readonly parameters: PrionnParameters,
    private readonly trainer: Trainer,
  ) {}

  /**
   * What a job comes out as.
   * @param head 0 for its runtime in seconds, 1 for the bytes it reads, 2 for those it writes
   */
  spreadOf(job: JobRequest, head: number): Spread {
    const values = (this.serving?.values ?? this.valuesSoFar())[head];
    if (!values || values.count === 0) {
      return { point: Number.POSITIVE_INFINITY, percentiles: NOTHING_KNOWN, sampleSize: 0 };
    }
    const probabilities = this.serving?.network.probabilities(this.charactersOf(job))[head] ?? values.shares;
    const percentiles = values.percentiles(probabilities);
    const point =
      this.parameters.point === 'likely'
        ? withinPercentiles(values.likely(probabilities), percentiles)
        : relativePointSeconds({ quantileSeconds: percentiles });
    return { point, percentiles, sampleSize: values.count };
  }

  submitted(_job: unknown, laterSubmissions = 0): void {
    const { every } = this.parameters;
    this.submissions++;
    if (this.isLate && this.takeIn()) this.begin();
    if (this.submissions % every !== 0 || laterSubmissions >= PAST_EVENTS * every) return;
    if (!this.underWay || this.takeIn()) this.begin();
  }

  ended(record: EndedRecord): void {
    if (!hasRun(record) || wasTakenDown(record)) return;
    const values = [ranSeconds(record), knownBytes(record, 'readBytes'), knownBytes(record, 'writtenBytes')];
    this.lessons.push({ characters: this.charactersOf(record), values });
    if (this.lessons.length > this.parameters.jobs) this.lessons.shift();
    this.soFar = null;
  }

  private valuesSoFar(): readonly ClassValues[] {
    this.soFar ??= HEADS.map((classes, head) => {
      return new ClassValues(
        classes,
        this.lessons.flatMap(({ values }) => values[head] ?? []),
      );
    });
    return this.soFar;
  }

  private begin(): void {
    if (this.lessons.length === 0) return;
    const { every: _every, jobs: _jobs, point: _point, ...settings } = this.parameters;
    const request = { settings, from: this.state, samples: samplesOf(this.lessons) };
    this.underWay = { request, training: this.trainer.train(request), values: this.valuesSoFar() };
  }

  /** @returns whether the event that was under way is over */
  private takeIn(): boolean {
    if (!this.underWay) return true;
    const result = this.underWay.training.result();
    this.isLate = result === undefined;
    if (this.isLate) return false;
    if (result) {
      this.state = result;
      this.serving = { network: servingNetwork(this.parameters, result), values: this.underWay.values };
    }
    this.underWay = null;
    return true;
  }

  private charactersOf(job: JobRequest): Uint8Array {
    return charactersOf(jobText(job), this.parameters.shape, this.parameters.side);
  }
}

function samplesOf(lessons: readonly Lesson[]): TrainingSamples {
  const square = lessons[0]?.characters.length ?? 0;
  const characters = new Uint8Array(lessons.length * square);
  for (const [i, lesson] of lessons.entries()) characters.set(lesson.characters, i * square);
  const labels = lessons.flatMap(({ values }) =>
    HEADS.map((classes, head) => {
      const value = values[head] ?? null;
      return value === null ? -1 : classes.of(value);
    }),
  );
  return { count: lessons.length, characters, labels: Int32Array.from(labels) };
}
