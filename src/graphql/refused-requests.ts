import type { ErrorRequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { isDatabaseAway } from '../store/database-away.ts';
import { logFault } from '../store/log-fault.ts';
import { AWAY } from './errors.ts';

/** A body that is not looked into. */
export class BodyFault extends Error {
  readonly type = 'body.fault';

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export function tooLarge(mostBytes: number | undefined): string {
  return `the body is larger than ${mostBytes} bytes, the most accepted here`;
}

/** Answers a request with what went wrong before it became an operation. */
export function lastResort(logger: Logger): ErrorRequestHandler {
  return (error: { status?: number; type?: string; limit?: number }, _request, response, next) => {
    if (response.headersSent) return next(error);
    const refuse = (status: number, code: string, message: string) =>
      sendError(logger, response, status, code, message);
    const { status = 500, type, limit } = error;
    if (error instanceof BodyFault) return refuse(status, 'BAD_REQUEST', error.message);
    if (type === 'entity.parse.failed') {
      return refuse(400, 'BAD_REQUEST', 'the body is no valid JSON object; check its quotes and commas');
    }
    if (type === 'entity.too.large') {
      return refuse(413, 'BODY_TOO_LARGE', tooLarge(limit));
    }
    if (type === 'encoding.unsupported') {
      return refuse(415, 'BAD_REQUEST', 'the body is compressed; send it as it is, without a content-encoding');
    }
    if (type === 'charset.unsupported') {
      return refuse(415, 'BAD_REQUEST', 'the body must be JSON in UTF-8; say `content-type: application/json`');
    }
    if (status >= 400 && status < 500) {
      return refuse(status, 'BAD_REQUEST', `the request cannot be read (${type ?? status})`);
    }
    logFault(logger, error, 'internal error', { requestId: response.locals.requestId });
    if (isDatabaseAway(error)) return refuse(503, AWAY.code, AWAY.message);
    refuse(500, 'INTERNAL_SERVER_ERROR', 'something went wrong on our side; see the request id');
  };
}

/** Answers a request that never becomes an operation, and notes it in the log. */
export function sendError(logger: Logger, response: Response, status: number, code: string, message: string): void {
  const requestId = response.locals.requestId;
  logger.info({ requestId, status, code, method: response.req.method, path: response.req.path }, 'refused');
  response.status(status).json({ errors: [{ message, extensions: { code, requestId } }] });
}
