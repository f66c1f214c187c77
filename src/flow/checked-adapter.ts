import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Clock, EpochSeconds } from '../domain/clock.ts';
import { withinTime } from '../domain/deadline.ts';
import { ClockSkew, type FaultCode, SiteFailure, Unavailable, Unknown } from '../domain/failures.ts';
import { changedAt, type JobSpec } from '../domain/job.ts';
import type { FolderAnswer, FolderRequest } from '../domain/job-folder.ts';
import type { OutputPiece, OutputRequest } from '../domain/job-output.ts';
import type { SiteFacts } from '../domain/site.ts';
import type { Acceptance, HistoryPage, NativeJob, NativeRef, SiteAdapter } from '../domain/site-adapter.ts';
import type { Snapshot } from '../domain/snapshot.ts';
import { FaultLog } from './fault-log.ts';
import { withoutJobText } from './job-text.ts';
import { PartlyBelieved } from './partly-believed.ts';
import { siteAnswers } from './site-answers.ts';

/** How much a site is believed. */
export interface CheckLimits {
  /** A site whose clock is further from ours than that is not believed at all. */
  readonly maxSkewSeconds: number;
  /** A verb that takes longer is given up, in wall time, whatever its adapter does. */
  readonly callMilliseconds: number;
}

type Schemas = ReturnType<typeof siteAnswers>;
type Verb =
  | 'facts'
  | 'snapshot'
  | 'submit'
  | 'find'
  | 'inspect'
  | 'cancel'
  | 'begin'
  | 'history'
  | 'readOutput'
  | 'stage';

/**
 * An adapter as the flow may rely on it: every verb ends in time, every answer is of the right types, sizes and times,
 * and everything that goes wrong is a `SiteFailure`, noted in the operator's log. How far the site's clock is from ours
 * is measured; how fresh a snapshot is goes by ours.
 */
export class CheckedAdapter implements SiteAdapter {
  private readonly faults: FaultLog;
  private readonly answers: Schemas = siteAnswers(() => this.toldUntil);
  /** Nothing that the answer at hand tells of may be later. */
  private toldUntil: EpochSeconds = 0;
  private inFlight = 0;

  constructor(
    private readonly adapter: SiteAdapter,
    private readonly clock: Clock,
    private readonly limits: CheckLimits,
    logger: Logger,
    site: string,
  ) {
    this.faults = new FaultLog(logger, site);
  }

  /** Calls that have neither come back nor been given up. */
  get callsInFlight(): number {
    return this.inFlight;
  }

  get capabilities(): SiteAdapter['capabilities'] {
    return this.adapter.capabilities;
  }

  facts(): Promise<SiteFacts> {
    return this.ask('facts', () => this.adapter.facts(), 'facts');
  }

  snapshot(): Promise<Snapshot> {
    return this.carryOut('snapshot', Unavailable, async () => {
      const askedAt = this.clock.now();
      const answer: unknown = await this.adapter.snapshot();
      const answeredAt = this.clock.now();
      // Jobs of the future are what shows the skew of a site whose adapter does not ask its clock, so they pass here.
      const snapshot: Snapshot = this.check('snapshot', answer, Number.MAX_SAFE_INTEGER);
      const clockSkewSeconds = skewOf(snapshot, askedAt, answeredAt);
      if (Math.abs(clockSkewSeconds) > this.limits.maxSkewSeconds) {
        throw new ClockSkew(clockSkewSeconds, this.limits.maxSkewSeconds);
      }
      const observedAt = Math.min(Math.max(snapshot.observedAt, Math.floor(askedAt)), answeredAt);
      return { ...snapshot, observedAt, clockSkewSeconds };
    });
  }

  submit(spec: JobSpec, key: string): Promise<Acceptance> {
    return this.carryOut('submit', Unknown, async () =>
      this.check('acceptance', await this.handIn(spec, key), this.latestAt(), Unknown),
    );
  }

  /** Nothing of the text of a job goes into logs, whoever quotes it. */
  private async handIn(spec: JobSpec, key: string): Promise<unknown> {
    try {
      return await this.adapter.submit(spec, key);
    } catch (error) {
      throw withoutJobText(error, spec);
    }
  }

  find(key: string, intendedAt: EpochSeconds): Promise<NativeJob | null> {
    return this.ask('find', () => this.adapter.find(key, intendedAt), 'found');
  }

  inspect(jobs: readonly NativeRef[]): Promise<ReadonlyMap<string, NativeJob>> {
    return this.carryOut('inspect', Unavailable, async () => {
      const answer: unknown = await this.adapter.inspect(jobs);
      try {
        return this.check('inspected', answer, this.latestAt());
      } catch (error) {
        throw answer instanceof Map && error instanceof Unavailable ? this.partlyBelieved(answer, error) : error;
      }
    });
  }

  /** One job of which a site says what cannot be keeps no other from being followed. */
  private partlyBelieved(answer: ReadonlyMap<string, unknown>, cause: Unavailable): PartlyBelieved {
    const believed = new Map<string, NativeJob>();
    const doubted = new Set<string>();
    for (const [nativeId, job] of answer) {
      const read = this.answers.found.safeParse(job);
      if (read.success && read.data) believed.set(nativeId, read.data as NativeJob);
      else doubted.add(nativeId);
    }
    return new PartlyBelieved(cause, believed, doubted);
  }

  cancel(job: NativeRef): Promise<void> {
    return this.carryOut('cancel', Unknown, () => this.adapter.cancel(job));
  }

  get begin(): SiteAdapter['begin'] {
    const begin = this.adapter.begin?.bind(this.adapter);
    return begin && ((job) => this.carryOut('begin', Unknown, () => begin(job)));
  }

  get readOutput(): SiteAdapter['readOutput'] {
    const read = this.adapter.readOutput?.bind(this.adapter);
    return (
      read && ((request) => this.carryOut('readOutput', Unavailable, async () => pieceOf(await read(request), request)))
    );
  }

  get stage(): SiteAdapter['stage'] {
    const stage = this.adapter.stage?.bind(this.adapter);
    return (
      stage && ((request) => this.carryOut('stage', Unavailable, async () => answerTo(await stage(request), request)))
    );
  }

  history(since: EpochSeconds): Promise<HistoryPage> {
    return this.carryOut('history', Unavailable, async () => {
      const page = this.check('history', await this.adapter.history(since), this.latestAt());
      const records = page.records.toSorted((a, b) => changedAt(a) - changedAt(b));
      return { records, nextSince: Math.min(Math.max(page.nextSince, since), Math.max(since, this.clock.now())) };
    });
  }

  get standings(): SiteAdapter['standings'] {
    return this.adapter.standings?.bind(this.adapter);
  }

  close(): Promise<void> {
    return this.adapter.close();
  }

  private ask<Name extends keyof Schemas>(verb: Verb, call: () => Promise<unknown>, name: Name) {
    return this.carryOut(verb, Unavailable, async () => this.check(name, await call(), this.latestAt()));
  }

  private latestAt(): EpochSeconds {
    return this.clock.now() + this.limits.maxSkewSeconds;
  }

  /** @throws the failure given, naming the first place where the answer is not as it must be */
  private check<Name extends keyof Schemas>(
    name: Name,
    answer: unknown,
    latestAt: EpochSeconds,
    Failure: typeof Unavailable | typeof Unknown = Unavailable,
  ): z.output<Schemas[Name]> {
    this.toldUntil = latestAt;
    const parsed = this.answers[name].safeParse(answer);
    if (parsed.success) return parsed.data as z.output<Schemas[Name]>;
    const [issue] = parsed.error.issues;
    const words = `${name}${(issue?.path ?? []).map((key) => `.${String(key)}`).join('')}: ${issue?.message}`;
    throw new Failure(`the site gave no plausible answer: ${words}`, words, { code: 'GARBLED' });
  }

  /** Runs a verb to its end or its deadline. Whatever is no `SiteFailure` becomes the one given. */
  private async carryOut<Answer>(
    verb: Verb,
    Failure: typeof Unavailable | typeof Unknown,
    run: () => Promise<Answer>,
  ): Promise<Answer> {
    const failed = (message: string, code: FaultCode, cause?: unknown) =>
      new Failure(message, message, { code, ...(cause === undefined ? {} : { cause }) });
    this.inFlight++;
    try {
      const { callMilliseconds } = this.limits;
      const boxed = await withinTime(
        run().then((answer) => ({ answer })),
        callMilliseconds,
      );
      if (boxed === null) throw failed(`${verb} did not end within ${callMilliseconds} ms`, 'TIMED_OUT');
      this.faults.noteAnswer(verb);
      return boxed.answer;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const failure = error instanceof SiteFailure ? error : failed(`${verb}: ${message}`, 'ADAPTER_FAILED', error);
      this.faults.noteFailure(verb, failure);
      throw failure;
    } finally {
      this.inFlight--;
    }
  }
}

/** A piece as it was asked for: bytes, no more of them than were wanted, and no more than the stream has. */
function pieceOf(piece: OutputPiece | null, { offset, limit }: OutputRequest): OutputPiece | null {
  if (piece === null) return null;
  const { bytes, totalBytes } = piece;
  if (!(bytes instanceof Uint8Array && bytes.length <= limit && Number.isSafeInteger(totalBytes) && totalBytes >= 0)) {
    const words = 'a piece of output is not what was asked for';
    throw new Unavailable(`the site gave no plausible answer: ${words}`, words, { code: 'GARBLED' });
  }
  return { bytes, totalBytes: bytes.length === 0 ? totalBytes : Math.max(totalBytes, offset + bytes.length) };
}

/** An answer as it was asked for: no more bytes than were wanted, sizes that are some, a folder from / on. */
function answerTo(answer: FolderAnswer, request: FolderRequest): FolderAnswer {
  const isSize = (size: number) => Number.isSafeInteger(size) && size >= 0;
  const fits =
    (answer.said === 'FOLDER' && request.verb === 'MAKE' && /^\/[^\p{Cc}]{0,2000}$/u.test(answer.folder)) ||
    (answer.said === 'PIECE' &&
      request.verb === 'READ' &&
      isSize(answer.sizeBytes) &&
      answer.bytes.length <= request.limit) ||
    (answer.said === 'FILE' && 'path' in request && isSize(answer.sizeBytes)) ||
    (answer.said === 'REMOVED' && request.verb === 'REMOVE') ||
    ['ABSENT', 'REFUSED', 'DENIED', 'SHORT', 'FULL'].includes(answer.said);
  if (fits) return answer;
  const words = `what is said of ${request.verb} is no answer to it`;
  throw new Unavailable(`the site gave no plausible answer: ${words}`, words, { code: 'GARBLED' });
}

/**
 * Seconds that the site's clock is ahead of ours, by the moment it says it is and by jobs that it says are of the
 * future.
 */
function skewOf({ observedAt, waiting, running }: Snapshot, askedAt: EpochSeconds, answeredAt: EpochSeconds): number {
  // Sites tell whole seconds.
  if (observedAt < Math.floor(askedAt)) return observedAt - askedAt;
  let newestAt = observedAt;
  for (const { submitAt } of waiting) newestAt = Math.max(newestAt, submitAt);
  for (const { submitAt, startAt } of running) newestAt = Math.max(newestAt, submitAt, startAt);
  return Math.max(0, newestAt - answeredAt);
}
