import { setImmediate } from 'node:timers/promises';

/** An answer that waits for its turn. */
interface Waiting {
  readonly answer: Promise<unknown>;
  begin(): Promise<void>;
}

/**
 * Works answers out in turns: of each tenant one at a time, the tenants one after the other, and between any two the
 * process does what else it is asked. So whoever is told of much waits for it alone.
 */
export class AnswerTurns {
  /** The tenants in the order of their turns, each with the answers that wait, by what they are of. */
  private readonly waiting = new Map<string, Map<string, Waiting>>();
  /** Tenants of which an answer is being worked out. */
  private readonly busy = new Set<string>();
  private isRunning = false;

  /** @param turnMilliseconds after which an answer, as one that waits for forecasts, holds its tenant up no more */
  constructor(private readonly turnMilliseconds = TURN_MILLISECONDS) {}

  /**
   * The answer, once the tenant's turn has come. Who asks for the same while it still waits gets the same.
   * @param key of what it answers; the same one always names the same kind of answer
   * @param work begins in the turn, so that it finds what has changed by then
   */
  take<Answer>(tenantId: string, key: string, work: () => Promise<Answer>): Promise<Answer> {
    const answers = this.waiting.get(tenantId) ?? new Map<string, Waiting>();
    const known = answers.get(key);
    if (known) return known.answer as Promise<Answer>;
    let begin = async () => {};
    const answer = new Promise<Answer>((resolve, reject) => {
      begin = () => work().then(resolve, reject);
    });
    answers.set(key, { answer, begin });
    this.waiting.set(tenantId, answers);
    this.goOn();
    return answer;
  }

  private goOn(): void {
    if (!this.isRunning) void this.run();
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    for (;;) {
      await setImmediate();
      const tenantId = [...this.waiting.keys()].find((id) => !this.busy.has(id));
      if (tenantId === undefined) break;
      this.beginNext(tenantId);
    }
    this.isRunning = false;
  }

  private beginNext(tenantId: string): void {
    const answers = this.waiting.get(tenantId) ?? new Map<string, Waiting>();
    this.waiting.delete(tenantId);
    const [next] = answers;
    if (!next) return;
    const [key, { begin }] = next;
    answers.delete(key);
    if (answers.size > 0) this.waiting.set(tenantId, answers);
    this.hold(tenantId, begin());
  }

  private hold(tenantId: string, work: Promise<void>): void {
    this.busy.add(tenantId);
    let isHeld = true;
    const letGo = () => {
      clearTimeout(timer);
      if (!isHeld) return;
      isHeld = false;
      this.busy.delete(tenantId);
      this.goOn();
    };
    const timer = setTimeout(letGo, this.turnMilliseconds);
    void work.finally(letGo);
  }
}

const TURN_MILLISECONDS = 1000;
