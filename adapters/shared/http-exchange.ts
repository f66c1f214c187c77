import type { Dispatcher } from 'undici';
import { withinTime } from '../../src/domain/deadline.ts';
import type { FaultCode } from '../../src/domain/failures.ts';

/** How long an exchange may take and how much may come of it. */
export interface ExchangeLimits {
  /** From the first attempt to connect to the last byte of the answer. */
  readonly timeoutMilliseconds: number;
  readonly answerLimitBytes: number;
}

/** A whole answer. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

/** An exchange that came to no answer because of our own limits. The code is one of the fault codes. */
export class ExchangeFailure extends Error {
  constructor(
    readonly code: Extract<FaultCode, 'TIMED_OUT' | 'TOO_LARGE'>,
    message: string,
  ) {
    super(message);
    this.name = 'ExchangeFailure';
  }
}

/**
 * Sends a request and reads the whole answer. It ends by its deadline whatever the other side or the client library do:
 * a byte now and then is no progress, and a request that the library forgets is given up.
 * @throws ExchangeFailure when that takes too long or brings too much; otherwise what the connection throws
 */
export async function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.RequestOptions,
  { timeoutMilliseconds, answerLimitBytes }: ExchangeLimits,
): Promise<HttpAnswer> {
  const abortion = new AbortController();
  const answer = await withinTime(
    readWhole(dispatcher, { ...request, signal: abortion.signal }, answerLimitBytes),
    timeoutMilliseconds,
  );
  if (answer) return answer;
  abortion.abort();
  throw new ExchangeFailure('TIMED_OUT', `no whole answer within ${timeoutMilliseconds} ms`);
}

async function readWhole(
  dispatcher: Dispatcher,
  request: Dispatcher.RequestOptions,
  answerLimitBytes: number,
): Promise<HttpAnswer> {
  const { statusCode, body } = await dispatcher.request(request);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > answerLimitBytes) {
      throw new ExchangeFailure('TOO_LARGE', `the answer is larger than ${answerLimitBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return { status: statusCode, text: Buffer.concat(chunks).toString() };
}
