import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isReachable } from '../store/database.ts';
import type { Parts } from './wire.ts';

/** What a process knows of itself. */
export interface Condition {
  isStopping(): boolean;
  /** False when it gets nothing done and had better be started again. */
  isAlive(): boolean;
}

/** A database that has not answered by then is away. */
const DATABASE_PATIENCE_MILLISECONDS = 2000;

/**
 * Answers `/healthz` (the process lives and gets things done), `/readyz` (it can work: 503 while the database does not
 * answer, it is shutting down or gets nothing done) and `/metrics` (Prometheus text over all tenants, for whoever asks
 * from this machine itself or with the token for it). False for any other path, which stays unanswered.
 */
export async function answerHealth(
  parts: Parts,
  condition: Condition,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  switch (request.url?.split('?')[0]) {
    case '/healthz':
      answer(response, condition.isAlive() ? 200 : 503, condition.isAlive() ? 'ok' : 'nothing moves');
      return true;
    case '/readyz': {
      const works = condition.isAlive() && !condition.isStopping();
      const ready = works && (await isReachable(parts.database, DATABASE_PATIENCE_MILLISECONDS));
      answer(response, ready ? 200 : 503, ready ? 'ready' : 'not ready');
      return true;
    }
    case '/metrics': {
      if (!mayReadMetrics(request, parts.config.GRIDCAST_METRICS_TOKEN)) {
        answer(response, 403, 'set GRIDCAST_METRICS_TOKEN and send it as a bearer token, or ask from this machine');
        return true;
      }
      const text = await parts.metrics.registry.metrics();
      answer(response, 200, text, parts.metrics.registry.contentType);
      return true;
    }
    default:
      return false;
  }
}

/**
 * Behind a proxy on this machine everybody seems to come from it, so what was passed on does not count as local; nor
 * does what a browser asks for a page, or by another name than this machine's.
 */
function mayReadMetrics({ headers, socket }: IncomingMessage, token: string | undefined): boolean {
  if (token !== undefined) {
    const [sent, wanted] = [headers.authorization ?? '', `Bearer ${token}`].map(digestOf);
    return sent !== undefined && wanted !== undefined && timingSafeEqual(sent, wanted);
  }
  const isPassedOn = Object.keys(headers).some((name) => PASSED_ON.test(name));
  return !isPassedOn && LOCAL_HOST.test(headers.host ?? '') && LOOPBACK.test(socket.remoteAddress ?? '');
}

const PASSED_ON =
  /^(?:via|forwarded|origin|sec-fetch-site|x-forwarded.*|x-real-ip|x-original-.*|.*-client-ip|.*-connecting-ip)$/;
const LOCAL_HOST = /^(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/i;

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const LOOPBACK = /^(::ffff:)?127\.|^::1$/;

function answer(response: ServerResponse, status: number, body: string, contentType = 'text/plain'): void {
  response.writeHead(status, { 'content-type': contentType }).end(body);
}
