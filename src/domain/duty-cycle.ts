/**
 * When something may be done that is done again and again, so that it takes no more than a share of the time, however
 * much of it there is. Moments are milliseconds of a monotonic clock.
 */
export class DutyCycle {
  private nextAt = Number.NEGATIVE_INFINITY;

  /** @param share of the time, above 0 and up to 1 */
  constructor(private readonly share: number) {}

  mayBegin(now: number): boolean {
    return now >= this.nextAt;
  }

  took(fromAt: number, untilAt: number): void {
    this.nextAt = untilAt + (1 / this.share - 1) * (untilAt - fromAt);
  }
}
