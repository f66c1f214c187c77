import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  locatedError,
  print,
} from 'graphql';
import type { ChangeHub } from './change-hub.ts';
import { type ApiContext, callerOf } from './context.ts';

type Answer = ExecutionResult | Promise<ExecutionResult>;

/**
 * Subscribes as GraphQL does, but for this: those of one tenant and role who ask the same share one answer to a change.
 * What an answer says depends on nothing else of its caller, whose token is looked at for each of them.
 */
export function subscribeShared(changes: ChangeHub) {
  return async (args: ExecutionArgs): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> => {
    const source = await createSourceEventStream(args);
    if (!(Symbol.asyncIterator in source)) return source;
    const context = args.contextValue as ApiContext;
    const { tenantId, role } = callerOf(context);
    const words = [print(args.document), args.operationName, args.variableValues, tenantId, role];
    return new Answers(source[Symbol.asyncIterator](), async (event) => {
      const answer = () => execute({ ...args, rootValue: event });
      try {
        await context.recheck();
      } catch (error) {
        return { errors: [locatedError(error, undefined)] };
      }
      // What is no id of something that changed is this follower's own.
      return typeof event === 'string' ? changes.lookOnce<Answer>(JSON.stringify([words, event]), answer) : answer();
    });
  };
}

/** An iterator of its own: a generator could not be left while it waits. */
class Answers implements AsyncIterableIterator<ExecutionResult> {
  constructor(
    private readonly events: AsyncIterator<unknown>,
    private readonly answerTo: (event: unknown) => Promise<ExecutionResult>,
  ) {}

  async next(): Promise<IteratorResult<ExecutionResult>> {
    const { done = false, value } = await this.events.next();
    if (done) return { done: true, value: undefined };
    return { done: false, value: await this.answerTo(value) };
  }

  async return(): Promise<IteratorResult<ExecutionResult>> {
    await this.events.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
