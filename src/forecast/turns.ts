import { setImmediate } from 'node:timers/promises';
import type { Steps } from '../domain/steps.ts';
import { ANSWER_MILLISECONDS } from './thread-options.ts';

/** Work of one asker that is under way. */
interface Task {
  /** Carries on for a turn; false when it is over. */
  readonly goOn: (endsAt: number) => boolean;
}

/**
 * Computes what several askers want, in turns: every asker in its turn gets some milliseconds, and shares them among
 * its own questions, one a turn. So the work of one asker, however much, delays another's by no more than a turn each.
 * Between turns the thread hears what is said to it, as that nobody waits for an answer any more; such work is dropped
 * where it stands.
 */
export class Turns {
  /** The askers in the order of their turns, each with its tasks in theirs. */
  private readonly waiting = new Map<string, Task[]>();
  private isRunning = false;

  /**
   * @param turnMilliseconds 0 for one step a turn
   * @param longestMilliseconds after which nobody waits for an answer
   */
  constructor(
    private readonly turnMilliseconds = TURN_MILLISECONDS,
    private readonly longestMilliseconds = ANSWER_MILLISECONDS,
  ) {}

  /** Whether somebody waits for an answer. */
  get isBusy(): boolean {
    return this.isRunning;
  }

  /** Computes it in this asker's turns. @throws the signal's reason once it is aborted; Error when it takes too long */
  compute<Answer>(asker: string, steps: Steps<Answer>, signal?: AbortSignal): Promise<Answer> {
    const giveUpAt = performance.now() + this.longestMilliseconds;
    const next = () => {
      if (signal?.aborted) return steps.throw(signal.reason);
      if (performance.now() < giveUpAt) return steps.next();
      return steps.throw(new Error(`no answer within ${this.longestMilliseconds} ms`));
    };
    return new Promise((resolve, reject) => {
      const task: Task = {
        goOn(endsAt) {
          try {
            do {
              const { done, value } = next();
              if (done) {
                resolve(value);
                return false;
              }
            } while (performance.now() < endsAt);
            return true;
          } catch (error) {
            reject(error);
            return false;
          }
        },
      };
      this.waiting.set(asker, [...(this.waiting.get(asker) ?? []), task]);
      if (!this.isRunning) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    for (;;) {
      const [next] = this.waiting;
      if (!next) break;
      const [asker, [task, ...others]] = next;
      const goesOn = task?.goOn(performance.now() + this.turnMilliseconds);
      const left = task && goesOn ? [...others, task] : others;
      this.waiting.delete(asker);
      if (left.length > 0) this.waiting.set(asker, left);
      await setImmediate();
    }
    this.isRunning = false;
  }
}

const TURN_MILLISECONDS = 5;
