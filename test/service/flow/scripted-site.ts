import type { EpochSeconds } from '../../../src/domain/clock.ts';
import type { JobOutcome } from '../../../src/domain/job.ts';
import type { NativeJob, SiteAdapter } from '../../../src/domain/site-adapter.ts';
import type { WaitingJob } from '../../../src/domain/snapshot.ts';

/** What a site does with a job that it is handed. Moments in seconds from the story's beginning. */
export interface JobScript {
  /** Null for never. */
  readonly startAt: number | null;
  /** Null for never. */
  readonly endAt: number | null;
  readonly outcome?: JobOutcome;
  /** From when on neither queue nor accounting know it; never unless told. */
  readonly lostAt?: number;
}

interface HandedIn {
  readonly key: string;
  readonly submittedAt: EpochSeconds;
  readonly script: JobScript;
  cancelledAt: EpochSeconds | null;
}

/**
 * A site that does as it is told, for whoever tracks its jobs: as an adapter for the service, by numbers for an
 * experiment.
 */
export class ScriptedSite {
  readonly jobs: HandedIn[] = [];

  constructor(
    private readonly beginsAt: EpochSeconds,
    private readonly scripts: readonly JobScript[],
    private readonly now: () => EpochSeconds,
  ) {}

  /** Hands a job in; returns its number. */
  submit(key: string): number {
    const script = this.scripts[this.jobs.length];
    if (!script) throw new Error(`the story knows no job number ${this.jobs.length}`);
    this.jobs.push({ key, submittedAt: this.now(), script, cancelledAt: null });
    return this.jobs.length - 1;
  }

  cancel(number: number): void {
    const job = this.jobs[number];
    if (job && this.seen(number)?.state !== 'ENDED') job.cancelledAt = this.now();
  }

  /** What queue and accounting say of a job now; null when they do not know it. */
  seen(number: number): NativeJob | null {
    const job = this.jobs[number];
    if (!job) return null;
    const { submittedAt, cancelledAt, script } = job;
    const ref = { nativeId: String(number), submittedAt, key: job.key };
    const [now, startAt, endAt] = [this.now(), this.at(script.startAt), this.at(script.endAt)];
    if (script.lostAt !== undefined && now >= this.beginsAt + script.lostAt) return null;
    const overAt = Math.min(endAt, cancelledAt ?? Number.POSITIVE_INFINITY);
    if (overAt <= now) {
      const outcome = cancelledAt === null ? (script.outcome ?? 'COMPLETED') : 'CANCELLED';
      return {
        ...ref,
        state: 'ENDED',
        startAt: startAt < overAt ? startAt : null,
        endAt: overAt,
        outcome,
        exitCode: null,
      };
    }
    if (startAt <= now) return { ...ref, state: 'RUNNING', startAt, endAt: null, outcome: null };
    return { ...ref, state: 'WAITING', startAt: null, endAt: null, outcome: null };
  }

  /** The same as a site of the service. */
  adapter(): SiteAdapter {
    const known = () => this.jobs.flatMap((_, number) => this.seen(number) ?? []);
    const shown = ({ nativeId, submittedAt, key }: NativeJob): WaitingJob => {
      const size = { processors: PROCESSORS, requestedWalltimeSeconds: 3600, submitAt: submittedAt };
      return { nativeId, key: key ?? null, user: null, queue: null, ...size };
    };
    return {
      capabilities: { accounting: true, accountingLagSeconds: 0 },
      facts: async () => ({ processors: MACHINE, queues: [] }),
      snapshot: async () => ({
        observedAt: this.now(),
        processors: MACHINE,
        freeProcessors: 0,
        waiting: known().flatMap((job) => (job.state === 'WAITING' ? [shown(job)] : [])),
        running: known().flatMap((job) => (job.state === 'RUNNING' ? [{ ...shown(job), startAt: job.startAt }] : [])),
      }),
      submit: async (_, key) => ({ nativeId: String(this.submit(key)), submittedAt: this.now(), key }),
      find: async (key) => known().find((job) => job.key === key) ?? null,
      inspect: async (refs) => {
        const found = known().filter(({ nativeId }) => refs.some((ref) => ref.nativeId === nativeId));
        return new Map(found.map((job) => [job.nativeId, job]));
      },
      cancel: async ({ nativeId }) => this.cancel(Number(nativeId)),
      history: async () => ({ records: [], nextSince: this.now() }),
      close: async () => undefined,
    };
  }

  private at(seconds: number | null): EpochSeconds {
    return seconds === null ? Number.POSITIVE_INFINITY : this.beginsAt + seconds;
  }
}

export const MACHINE = 64;
export const PROCESSORS = 4;
