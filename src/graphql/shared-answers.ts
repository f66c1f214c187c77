import { randomUUID } from 'node:crypto';
import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  getOperationAST,
  locatedError,
  print,
} from 'graphql';
import { AnswerTurns } from './answer-turns.ts';
import type { ChangeHub } from './change-hub.ts';
import { type ApiContext, callerOf } from './context.ts';
import { costWith } from './query-limits.ts';
import type { Standing } from './shared/standing.ts';
import { SubscriptionBudget } from './subscription-budget.ts';

/** Ids of what has changed, for one subscription. */
export interface Reported extends AsyncIterableIterator<string> {
  /** How it stands now, by loaders that read anew; an end that is not yet charged is not told. All is, without it. */
  standing?(id: string): Promise<Standing>;
  /** It was read after so many changes, when it stood so, and is told, or need not be. */
  wasTold(id: string, changeCount: number, standing: Standing): void;
}

/** An answer, how what it tells of stood, and after how many changes. */
interface Look {
  readonly changeCount: number;
  readonly standing: Standing;
  /** Null when it need not be told. */
  readonly result: ExecutionResult | null;
}

/**
 * Subscribes as GraphQL does, but for this: those of one tenant and role who ask the same share one answer to a change,
 * answers are worked out in turns of the tenants, and what a tenant has open costs no more together than its bound.
 * What an answer says depends on nothing else of its caller, whose token is looked at for each of them.
 */
export function subscribeShared(changes: ChangeHub) {
  const turns = new AnswerTurns();
  const budget = new SubscriptionBudget();
  return async (args: ExecutionArgs): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> => {
    const context = args.contextValue as ApiContext;
    const { tenantId } = callerOf(context);
    const cost = costOf(args);
    let end: () => void;
    try {
      end = budget.take(tenantId, cost, context.commands.limits.maxSubscriptionCost);
    } catch (error) {
      return failed(error);
    }
    try {
      const source = await createSourceEventStream(args);
      if (Symbol.asyncIterator in source) {
        const takeTurn = (key: string, look: () => Promise<Look>) => turns.take(tenantId, key, cost, look);
        return new Answers(source, answering(args, changes, takeTurn, source), end);
      }
      end();
      return source;
    } catch (error) {
      end();
      throw error;
    }
  };
}

function costOf({ schema, document, operationName, variableValues }: ExecutionArgs): number {
  const operation = getOperationAST(document, operationName);
  return operation ? costWith(schema, document, operation, variableValues ?? {}) : 0;
}

const failed = (error: unknown): ExecutionResult => ({ errors: [locatedError(error, undefined)] });

/** The answer to an event of the source; null when it need not be told. */
function answering(
  args: ExecutionArgs,
  changes: ChangeHub,
  takeTurn: (key: string, look: () => Promise<Look>) => Promise<Look>,
  source: AsyncIterable<unknown>,
) {
  const context = args.contextValue as ApiContext;
  const { tenantId, role } = callerOf(context);
  const words = JSON.stringify([print(args.document), args.operationName, args.variableValues, tenantId, role]);
  const reported = 'wasTold' in source ? (source as unknown as Reported) : null;
  const look = async (event: unknown): Promise<Look> => {
    const { changeCount } = changes;
    const standing = typeof event === 'string' ? await reported?.standing?.(event) : undefined;
    const result = standing === 'ENDED' ? null : await execute({ ...args, rootValue: event });
    return { changeCount, standing: standing ?? 'OPEN', result };
  };
  return async (event: unknown): Promise<ExecutionResult | null> => {
    try {
      await context.recheck();
    } catch (error) {
      return failed(error);
    }
    // What is no id of something that changed is this follower's own.
    if (typeof event !== 'string') return (await takeTurn(randomUUID(), () => look(event))).result;
    const key = `${event} of ${words}`;
    const { result, ...told } = await changes.lookOnce(key, () => takeTurn(key, () => look(event)));
    reported?.wasTold(event, told.changeCount, told.standing);
    return result;
  };
}

/** An iterator of its own: a generator could not be left while it waits. */
class Answers implements AsyncIterableIterator<ExecutionResult> {
  private readonly events: AsyncIterator<unknown>;
  private underWay: Promise<unknown> = Promise.resolve();

  /** @param onEnd called once nothing is worked out for it any more */
  constructor(
    source: AsyncIterable<unknown>,
    private readonly answerTo: (event: unknown) => Promise<ExecutionResult | null>,
    private readonly onEnd: () => void,
  ) {
    this.events = source[Symbol.asyncIterator]();
  }

  async next(): Promise<IteratorResult<ExecutionResult>> {
    try {
      for (;;) {
        const { done = false, value } = await this.events.next();
        if (done) return await this.return();
        const answer = this.answerTo(value);
        this.underWay = answer.catch(() => undefined);
        const result = await answer;
        if (result) return { done: false, value: result };
      }
    } catch (error) {
      this.onEnd();
      throw error;
    }
  }

  async return(): Promise<IteratorResult<ExecutionResult>> {
    void this.underWay.then(this.onEnd);
    await this.events.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
