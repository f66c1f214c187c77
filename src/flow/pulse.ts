/**
 * Whether a worker gets anything done. It does as long as steps end, or nothing is overdue, or PostgreSQL itself is
 * away or takes no writes; when none of that has been so for long, or it was given up, its process is of no use and had
 * better be started again.
 */
export class Pulse {
  private movedAt = performance.now();
  private reason: string | null = null;

  constructor(private readonly patienceMilliseconds: number) {}

  /** Told whenever there was a sign of life. */
  beat(): void {
    this.movedAt = performance.now();
  }

  /** Ends it at once, and for good. */
  giveUp(reason: string): void {
    this.reason ??= reason;
  }

  /** Why it was given up; null when it was not. */
  get givenUpBecause(): string | null {
    return this.reason;
  }

  get isMoving(): boolean {
    return this.reason === null && this.stillMilliseconds < this.patienceMilliseconds;
  }

  /** Since the last sign of life. */
  get stillMilliseconds(): number {
    return performance.now() - this.movedAt;
  }
}
