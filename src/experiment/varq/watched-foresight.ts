import type { Snapshot } from '../../domain/snapshot.ts';
import { withoutJob } from '../../domain/snapshot.ts';
import { nativeIdOf } from '../../sim/cluster-snapshot.ts';
import { type ForeseenHolds, Foresight } from './foresight.ts';
import type { VarqReservation } from './varq-reservation.ts';
import type { VarqSite } from './varq-site.ts';

/** Watches, as long as a promise is open, what would have become of it at other submission times. */
export class WatchedForesight {
  private readonly foresight: Foresight;

  constructor(
    private readonly site: VarqSite,
    private readonly reservation: VarqReservation,
  ) {
    this.foresight = new Foresight(reservation.terms.work);
    site.onlookers.add(this.look);
  }

  /** What it saw up to and including now; it watches no longer. */
  close(): ForeseenHolds {
    this.site.onlookers.delete(this.look);
    this.look(this.site.snapshot());
    return this.foresight.holds;
  }

  private readonly look = (state: Snapshot): void => {
    const { presentJob } = this.reservation;
    this.foresight.look(presentJob === null ? state : withoutJob(state, nativeIdOf(presentJob)));
  };
}
