/** A question that is under way. */
export interface UnderWay {
  /** Whether something has been taken in since it began, so that it has to begin again; set by the gate. */
  isOutdated: boolean;
}

/**
 * Keeps what questions read as it is until they are answered. News waits, in its order, until the questions that began
 * before it are over, and no longer: those that began while it waited have to begin again. So no question waits for
 * another one, the oldest is never begun again, and news waits no longer than a question may take.
 */
export class NewsGate {
  private readonly underWay = new Set<UnderWay>();
  /** Those of them that began before the first news that waits. */
  private readonly awaited = new Set<UnderWay>();
  private waiting: (() => void)[] = [];

  /** Takes it in now, or once it is its time. */
  tell(takeIn: () => void): void {
    if (this.underWay.size === 0) {
      takeIn();
      return;
    }
    if (this.waiting.length === 0) for (const question of this.underWay) this.awaited.add(question);
    this.waiting.push(takeIn);
  }

  begin(): UnderWay {
    const question = { isOutdated: false };
    this.underWay.add(question);
    return question;
  }

  /** To be called of every question, once, also of one that has to begin again. */
  end(question: UnderWay): void {
    this.underWay.delete(question);
    this.awaited.delete(question);
    if (this.awaited.size > 0 || this.waiting.length === 0) return;
    for (const younger of this.underWay) younger.isOutdated = true;
    this.underWay.clear();
    const news = this.waiting;
    this.waiting = [];
    for (const takeIn of news) takeIn();
  }
}
