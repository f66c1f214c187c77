/**
 * How often a thread visits the sites that it learns and does not keep in memory: so seldom that visits take a tenth of
 * its time, however many sites they are. Moments are milliseconds of a monotonic clock.
 */
export class VisitPace {
  private nextAt = Number.NEGATIVE_INFINITY;

  mayVisit(now: number): boolean {
    return now >= this.nextAt;
  }

  visited(fromAt: number, untilAt: number): void {
    this.nextAt = untilAt + REST * (untilAt - fromAt);
  }
}

/** As a multiple of the visit. */
const REST = 9;
