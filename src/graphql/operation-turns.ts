import type { RequestHandler, Response } from 'express';
import { formatExactSeconds } from '../domain/duration.ts';
import type { Locals } from './bodies.ts';
import type { ApiOptions } from './options.ts';
import { sendError } from './refused-requests.ts';

/** What one tenant asks at once. */
interface Asked {
  inHand: number;
  /** Begin the work of those that wait, first come first. */
  readonly waiting: Set<() => void>;
}

/**
 * Lets so many operations of a tenant be worked on at once, and has the others wait for one of these to end. They all
 * share connections to PostgreSQL and the process: whoever sends a thousand waits for them alone.
 */
export function operationTurns({ limits, logger }: ApiOptions): RequestHandler {
  const { maxOperations, maxWaitingOperations, maxOperationSeconds } = limits;
  const ofTenants = new Map<string, Asked>();
  return (_request, response, next) => {
    const { principal } = response.locals as Locals;
    if (!principal) return next();
    // Its close has been told already, and would not be again.
    if (response.destroyed) return;
    const { tenantId } = principal;
    const asked = ofTenants.get(tenantId) ?? { inHand: 0, waiting: new Set() };
    ofTenants.set(tenantId, asked);
    const end = () => {
      asked.inHand--;
      const [first] = asked.waiting;
      if (first) first();
      else if (asked.inHand === 0) ofTenants.delete(tenantId);
    };
    const begin = () => {
      asked.inHand++;
      response.once('close', end);
      next();
    };
    if (asked.inHand < maxOperations) return begin();
    const refuse = (message: string) => {
      response.setHeader('retry-after', '1');
      sendError(logger, response, 429, 'BUSY', message);
    };
    if (asked.waiting.size >= maxWaitingOperations) {
      const most = maxOperations + maxWaitingOperations;
      return refuse(`${most} operations of your tenant are under way or wait, the most that may; send it again`);
    }
    wait(asked.waiting, response, maxOperationSeconds, begin, () => {
      const waited = formatExactSeconds(maxOperationSeconds);
      refuse(`it waited ${waited} for other operations of your tenant; nothing was done: send it again`);
    });
  };
}

/** @param late called in place of `begin` after so many seconds; neither is once its caller has hung up */
function wait(
  waiting: Set<() => void>,
  response: Response,
  seconds: number,
  begin: () => void,
  late: () => void,
): void {
  const leave = () => {
    waiting.delete(enter);
    clearTimeout(timer);
    response.off('close', leave);
  };
  const enter = () => {
    leave();
    begin();
  };
  const timer = setTimeout(() => {
    leave();
    late();
  }, seconds * 1000).unref();
  response.once('close', leave);
  waiting.add(enter);
}
