import type { EpochSeconds } from '../../domain/clock.ts';
import type { Trajectory } from '../../domain/plan.ts';
import { nextMargin, startingMargin } from '../../plan/aim.ts';
import type { RandomStream } from '../../sim/random.ts';
import type { ReservedWork } from './promising-site.ts';
import { askFor, type VarqPromise } from './varq-promise.ts';
import type { VarqReservation } from './varq-reservation.ts';
import type { VarqSite } from './varq-site.ts';
import type { ReservationTally } from './varq-tally.ts';
import { WatchedForesight } from './watched-foresight.ts';

export interface VarqProcessOptions {
  readonly probability: number;
  /** How far ahead reservations are asked for. */
  readonly leadSeconds: number;
  /** After how long another job is tried when one was refused. */
  readonly retrySeconds: number;
  /** How often the submission time is chosen anew while a promise waits. */
  readonly recomputeSeconds: number;
  /** Most that is paid in the worst case, in multiples of the job's own work; 0 for any charge. */
  readonly cap: number;
  /** Most that holding processors may cost on average, in multiples of the job's own work; 0 for any. */
  readonly paddingCap: number;
  /** Sizes to draw from. */
  readonly processors: readonly number[];
}

/**
 * A user who wants to start one job after another at a time set `leadSeconds` before, and asks again with other jobs as
 * long as he is refused: the submitting process of nurmi-varq, section 4.1. `next` is called at `dueAt`, in turn with
 * the others.
 */
export class VarqProcess {
  /** Of the first promise, to be shown. */
  firstTrajectory: Trajectory | null = null;
  firstStartAt: EpochSeconds = 0;
  private startAt: EpochSeconds;
  private margin: number;
  private promise: VarqPromise | null = null;
  private foresight: WatchedForesight | null = null;

  constructor(
    private readonly site: VarqSite,
    private readonly random: RandomStream,
    private readonly options: VarqProcessOptions,
    public dueAt: EpochSeconds,
    private readonly tally: ReservationTally,
  ) {
    this.startAt = dueAt + options.leadSeconds;
    this.margin = startingMargin(options.probability);
  }

  /** Does what is due at `dueAt`, which is now at the site, and sets the next `dueAt`. */
  next(): void {
    if (this.promise) this.follow(this.promise.reservation, this.promise.forecast);
    else if (this.startAt - this.dueAt <= SHORTEST_LEAD_SECONDS) this.begin(this.startAt + PAUSE_SECONDS);
    else this.ask();
  }

  private ask(): void {
    const { probability, recomputeSeconds, cap, paddingCap } = this.options;
    const wish = { work: this.drawWork(), probability, margin: this.margin, cap, paddingCap, recomputeSeconds };
    this.promise = askFor(this.site, wish, this.tally);
    if (!this.promise) {
      this.dueAt += this.options.retrySeconds;
      return;
    }
    if (!this.firstTrajectory) [this.firstTrajectory, this.firstStartAt] = [this.promise.trajectory, this.startAt];
    this.foresight = new WatchedForesight(this.site, this.promise.reservation);
    this.dueAt = this.promise.reservation.dueAt;
  }

  private follow(reservation: VarqReservation, forecast: number): void {
    reservation.next();
    if (reservation.isOpen) {
      this.dueAt = reservation.dueAt;
      return;
    }
    const { probability } = this.options;
    this.margin = nextMargin(this.margin, { probability, kept: reservation.state === 'KEPT' });
    this.tally.add(reservation, forecast, this.foresight?.close());
    this.begin(this.dueAt + PAUSE_SECONDS);
  }

  private drawWork(): ReservedWork {
    const draw = (choices: readonly number[]) => choices[Math.floor(this.random.uniform() * choices.length)] as number;
    return { processors: draw(this.options.processors), runSeconds: draw(RUN_SECONDS), startAt: this.startAt };
  }

  private begin(at: EpochSeconds): void {
    this.promise = null;
    this.dueAt = at;
    this.startAt = at + this.options.leadSeconds;
  }
}

export const RUN_SECONDS = [600, 1800, 3600, 7200, 14_400] as const;
/** With less than this left, a refused user turns to the next start time. */
const SHORTEST_LEAD_SECONDS = 600;
const PAUSE_SECONDS = 60;
