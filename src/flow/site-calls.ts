import { Unavailable, Unknown } from '../domain/failures.ts';
import type { SiteAdapter } from '../domain/site-adapter.ts';

/** A verb of an adapter. */
type Verb = Exclude<keyof Required<SiteAdapter>, 'capabilities' | 'standings' | 'close'>;

/**
 * Calls of each kind that a process has in flight at one site: of what concerns the whole site one, of what concerns
 * single jobs a few, for a healthy site takes hundreds of submissions a minute that way and a sick one costs no more
 * than these.
 */
const MOST_IN_FLIGHT: Readonly<Record<Verb, number>> = {
  facts: 1,
  snapshot: 1,
  history: 1,
  inspect: 2,
  find: 3,
  cancel: 3,
  submit: 3,
  begin: 3,
  readOutput: 64,
  stage: 4,
};

/** What may have happened at the site when no answer came. */
const CHANGES: ReadonlySet<Verb> = new Set(['submit', 'cancel', 'begin']);

/**
 * An adapter whose every call ends: after the deadline, waiting for its turn included, it fails as `Unknown` where it
 * may have changed something and as `Unavailable` otherwise. While a call that was given up is still under way at the
 * site, others of its kind are refused at once, so that silence costs one deadline and no more.
 */
export function withDeadlines(adapter: SiteAdapter, deadlineMilliseconds: number): SiteAdapter {
  const lanes = new Map<Verb, CallLane>();
  const laneOf = (verb: Verb): CallLane => {
    const lane = lanes.get(verb) ?? new CallLane(verb, MOST_IN_FLIGHT[verb], deadlineMilliseconds);
    lanes.set(verb, lane);
    return lane;
  };
  const { begin, readOutput, stage, standings } = adapter;
  return {
    get capabilities() {
      return adapter.capabilities;
    },
    facts: () => laneOf('facts').run(() => adapter.facts()),
    snapshot: () => laneOf('snapshot').run(() => adapter.snapshot()),
    submit: (spec, key) => laneOf('submit').run(() => adapter.submit(spec, key)),
    find: (key, intendedAt) => laneOf('find').run(() => adapter.find(key, intendedAt)),
    inspect: (jobs) => laneOf('inspect').run(() => adapter.inspect(jobs)),
    cancel: (job) => laneOf('cancel').run(() => adapter.cancel(job)),
    ...(begin && { begin: (job) => laneOf('begin').run(() => begin.call(adapter, job)) }),
    ...(readOutput && {
      readOutput: (request) => laneOf('readOutput').run(() => readOutput.call(adapter, request)),
    }),
    ...(stage && { stage: (request) => laneOf('stage').run(() => stage.call(adapter, request)) }),
    history: (since) => laneOf('history').run(() => adapter.history(since)),
    standings,
    close: () => adapter.close(),
  };
}

/** The calls of one kind at one site. */
class CallLane {
  private inFlight = 0;
  /** Calls that were given up and have not come back. */
  private lost = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly verb: Verb,
    private readonly most: number,
    private readonly deadlineMilliseconds: number,
  ) {}

  async run<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    const giveUpAt = performance.now() + this.deadlineMilliseconds;
    if (this.lost > 0) throw this.refusal();
    if (this.inFlight >= this.most) await this.wait();
    // Those before this one may have been lost while it waited.
    if (this.lost > 0) throw this.refusal();
    this.inFlight++;
    const answer = call().finally(() => this.leave());
    return this.within(answer, giveUpAt - performance.now());
  }

  private async within<Answer>(answer: Promise<Answer>, milliseconds: number): Promise<Answer> {
    let timer: NodeJS.Timeout | undefined;
    let isLost = false;
    const silence = new Promise<never>((_, fail) => {
      timer = setTimeout(() => {
        isLost = true;
        this.lost++;
        for (const next of this.waiting.splice(0)) next();
        fail(this.silence());
      }, milliseconds);
    });
    answer
      .catch(() => undefined)
      .finally(() => {
        if (isLost) this.lost--;
      });
    try {
      return await Promise.race([answer, silence]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Those in flight end by their deadline, by which those that wait are called or refused. */
  private wait(): Promise<void> {
    return new Promise((called) => this.waiting.push(called));
  }

  private leave(): void {
    this.inFlight--;
    this.waiting.shift()?.();
  }

  private silence(): Error {
    const message = `no answer to ${this.verb} within ${this.deadlineMilliseconds} ms`;
    return CHANGES.has(this.verb) ? new Unknown(message) : new Unavailable(message);
  }

  private refusal(): Error {
    return new Unavailable(`an earlier ${this.verb} has not been answered yet; nothing was asked`);
  }
}
