import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { OutputStream } from '../../src/domain/job-output.ts';
import { type NodePlacement, placeOnNodes, type SizedRequest } from '../../src/domain/node-placement.ts';
import type { NodeShape } from '../../src/domain/node-shape.ts';
import { occupiedProcessors } from '../../src/domain/occupancy.ts';
import type { HistoryPage, NativeJob } from '../../src/domain/site-adapter.ts';
import type { Snapshot, WaitingJob } from '../../src/domain/snapshot.ts';
import { SubmissionRefused } from '../../src/sim/admission.ts';
import { jobNamed, nativeIdOf, nativeJobOf } from '../../src/sim/cluster-snapshot.ts';
import type { ReplayedSite } from '../../src/sim/replayed-site.ts';
import type { ChangeLog } from './change-log.ts';
import type { JournalSubmit } from './journal.ts';

const OWN_USER = 'gridcast';
/** Exit status of a job that gave up waiting to be told to begin. */
const GAVE_UP = 75;

/** A machine with nodes of one shape: all of a simulated site, or the nodes that one of its queues has to itself. */
export class SimulatedPartition {
  /** Of the jobs that were submitted from outside, by their rows. */
  private readonly behaviours = new Map<number, JournalSubmit['behaviour']>();
  /** GPUs that these have been given. */
  private readonly gpus = new Map<number, number>();

  /**
   * @param prefix of the ids of its jobs, which no other partition has
   * @param changes of its jobs, which whoever made the machine notes
   */
  constructor(
    private readonly prefix: string,
    readonly shape: NodeShape,
    readonly site: ReplayedSite,
    private readonly changes: ChangeLog,
  ) {}

  get processors(): number {
    return this.site.cluster.processors;
  }

  /** The id that its next job will have. */
  get nextNativeId(): string {
    return this.prefix + nativeIdOf(this.site.cluster.table.length);
  }

  /**
   * How many processors a job holds: what it keeps others from using. Nodes are not told apart, so a job that takes a
   * larger share of the GPUs than of the processors holds that share of the processors.
   * @throws SubmissionRefused where its nodes lack what it asks for
   */
  heldProcessors(request: SizedRequest): number {
    if (!request.resources) return request.processors;
    const placement = this.placementOf(request);
    if ('lack' in placement) {
      const words = `Requested node configuration is not available (${placement.lack.name}: ${placement.lack.why})`;
      throw new SubmissionRefused(words);
    }
    const byGpus = placement.taken.reduce((sum, { shape, gpus }) => {
      const each = shape.gpus.reduce((all, { count }) => all + count, 0);
      return each === 0 ? sum : sum + Math.ceil((gpus / each) * shape.processors);
    }, 0);
    const occupied = occupiedProcessors(request, { shapes: [this.shape] });
    return Math.min(this.shape.count * this.shape.processors, Math.max(occupied, byGpus));
  }

  /** Hands a journaled job to the machine, in a step of its own so that a replay takes the same steps; its row. */
  accept(entry: JournalSubmit): number {
    const { holdUntilAt, gateSeconds, runSeconds, exitCode } = entry.behaviour;
    const job = this.site.submit(
      {
        submitAt: entry.at,
        processors: entry.processors,
        walltimeSeconds: entry.walltimeSeconds,
        runSeconds,
        ownOutcome: exitCode === 0 ? 'COMPLETED' : 'FAILED',
        ...(holdUntilAt === null ? {} : { holdUntilAt }),
        ...(gateSeconds === undefined ? {} : { gateSeconds }),
      },
      { user: OWN_USER, queue: entry.queue, key: entry.key },
    );
    this.behaviours.set(job, entry.behaviour);
    if (entry.gpus) this.gpus.set(job, entry.gpus);
    this.site.advanceTo(entry.at);
    return job;
  }

  /** Index of the job with that id; null when it is none of its own. */
  rowOf(nativeId: string): number | null {
    const own = nativeId.slice(this.prefix.length);
    return nativeId.startsWith(this.prefix) && /^\d+$/.test(own) ? jobNamed(this.site.cluster, own) : null;
  }

  /** Index of the job with that id, null when there is none or it was submitted at another time. */
  jobOf(nativeId: string, submittedAt: EpochSeconds | null): number | null {
    const job = this.rowOf(nativeId);
    if (job === null) return null;
    const known = this.site.cluster.table.columns.submitAt[job] as number;
    return submittedAt !== null && Math.abs(known - submittedAt) >= 1 ? null : job;
  }

  /** A job as queue and accounting show what ended by `visibleUntil`; null while it is in neither. */
  nativeJob(job: number, visibleUntil: EpochSeconds): NativeJob | null {
    const { cluster } = this.site;
    const native = this.named(nativeJobOf(cluster, job));
    if (native.state !== 'ENDED') return native;
    if (native.endAt > visibleUntil) return null;
    const billed = { ...native, billedProcessors: cluster.table.columns.processors[job] as number };
    const { outcome } = native;
    if (outcome !== 'COMPLETED' && outcome !== 'FAILED') return billed;
    if (cluster.isGateShut(job)) return { ...billed, exitCode: GAVE_UP };
    return { ...billed, exitCode: this.behaviours.get(job)?.exitCode ?? (outcome === 'FAILED' ? 1 : 0) };
  }

  /** What a job has written to a stream by then; null while it has not begun. */
  output(job: number, stream: OutputStream, now: EpochSeconds): Buffer | null {
    const { cluster } = this.site;
    const { startAt, endAt } = nativeJobOf(cluster, job);
    if (startAt === null || cluster.isGateShut(job)) return null;
    const { says = [], holdUntilAt = null } = this.behaviours.get(job) ?? {};
    const begunAt = Math.max(startAt, holdUntilAt ?? 0);
    const until = Math.min(now, endAt ?? now);
    const written = says.filter((saying) => saying.stream === stream && begunAt + saying.afterSeconds <= until);
    return Buffer.from(written.map(({ text }) => text).join(''));
  }

  snapshot(): Snapshot {
    const { waiting, running, ...figures } = this.site.snapshot();
    const shown = <Job extends WaitingJob>(job: Job) => this.named(this.withGpus(job));
    return { ...figures, waiting: waiting.map(shown), running: running.map(shown) };
  }

  /** Jobs that started or ended since then, each once. */
  history(since: EpochSeconds, visibleUntil: EpochSeconds): HistoryPage {
    const { jobs, nextSince } = this.changes.page(since, visibleUntil);
    return {
      records: Array.from(jobs, (job) => this.named(this.withGpus(this.site.record(job, visibleUntil)))),
      nextSince,
    };
  }

  private placementOf(request: SizedRequest): NodePlacement {
    return placeOnNodes(request, [this.shape]);
  }

  /**
   * Of other people's jobs that share of its GPUs which their processors are: so many they keep from jobs that ask for
   * some.
   */
  private withGpus<Job extends Pick<WaitingJob, 'nativeId' | 'processors'>>(job: Job): Job {
    const row = Number(job.nativeId) - 1;
    const each = this.shape.gpus.reduce((sum, { count }) => sum + count, 0);
    const share = Math.round((job.processors / this.shape.processors) * each);
    const gpus = this.gpus.get(row) ?? (this.behaviours.has(row) ? 0 : share);
    return gpus === 0 ? job : { ...job, gpus };
  }

  private named<Job extends { readonly nativeId: string }>(job: Job): Job {
    return { ...job, nativeId: this.prefix + job.nativeId };
  }
}
