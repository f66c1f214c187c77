/**
 * Whether a worker gets anything done. It does as long as steps end, or nothing is overdue, or PostgreSQL itself is
 * away or takes no writes; when none of that has been so for long, its process is of no use and had better be started
 * again.
 */
export class Pulse {
  private movedAt = performance.now();

  constructor(private readonly patienceMilliseconds: number) {}

  /** Told whenever there was a sign of life. */
  beat(): void {
    this.movedAt = performance.now();
  }

  get isMoving(): boolean {
    return this.stillMilliseconds < this.patienceMilliseconds;
  }

  /** Since the last sign of life. */
  get stillMilliseconds(): number {
    return performance.now() - this.movedAt;
  }
}
