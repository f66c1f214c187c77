import { setImmediate } from 'node:timers/promises';

/** An answer that waits for its turn. */
interface Waiting {
  readonly cost: number;
  readonly answer: Promise<unknown>;
  begin(): Promise<void>;
}

/**
 * Works answers out in turns. A turn is some of one tenant's answers, as many as cost little, which read together what
 * they read. A tenant's next turn begins when they are there, the tenants' turns begin one after the other, and between
 * any two the process does what else it is asked. So whoever is told of much waits for it alone.
 */
export class AnswerTurns {
  /** The tenants in the order of their turns, each with the answers that wait, by what they are of. */
  private readonly waiting = new Map<string, Map<string, Waiting>>();
  /** Tenants whose turns are under way. */
  private readonly busy = new Set<string>();
  private isRunning = false;

  /**
   * @param turnCost of the answers of one turn at most, unless one alone costs more
   * @param turnMilliseconds after which a turn, as of answers that wait for forecasts, holds its tenant up no more
   */
  constructor(
    private readonly turnCost = TURN_COST,
    private readonly turnMilliseconds = TURN_MILLISECONDS,
  ) {}

  /**
   * The answer, once the tenant's turn has come. Who asks for the same while it still waits gets the same.
   * @param key of what it answers; the same one always names the same kind of answer
   * @param cost as that of a query is judged
   * @param work begins in the turn, so that it finds what has changed by then
   */
  take<Answer>(tenantId: string, key: string, cost: number, work: () => Promise<Answer>): Promise<Answer> {
    const answers = this.waiting.get(tenantId) ?? new Map<string, Waiting>();
    const known = answers.get(key);
    if (known) return known.answer as Promise<Answer>;
    let begin = async () => {};
    const answer = new Promise<Answer>((resolve, reject) => {
      begin = () => work().then(resolve, reject);
    });
    answers.set(key, { answer, cost, begin });
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
      this.beginTurn(tenantId);
    }
    this.isRunning = false;
  }

  private beginTurn(tenantId: string): void {
    const answers = this.waiting.get(tenantId) ?? new Map<string, Waiting>();
    this.waiting.delete(tenantId);
    const begun: Promise<void>[] = [];
    let cost = 0;
    for (const [key, next] of answers) {
      if (begun.length > 0 && cost + next.cost > this.turnCost) break;
      answers.delete(key);
      cost += next.cost;
      begun.push(next.begin());
    }
    if (answers.size > 0) this.waiting.set(tenantId, answers);
    this.hold(tenantId, Promise.all(begun));
  }

  private hold(tenantId: string, work: Promise<unknown>): void {
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

/** About 15 ms of the process: a query may cost six times as much. */
const TURN_COST = 1000;
const TURN_MILLISECONDS = 1000;
