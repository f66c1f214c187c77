import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { withinTime } from '../domain/deadline.ts';
import { isReachable } from '../store/database.ts';
import { secondsAhead } from '../store/database-clock.ts';
import type { Parts } from './wire.ts';

/** What a process knows of itself. */
export interface Condition {
  isStopping(): boolean;
  /** False when it gets nothing done and had better be started again. */
  isAlive(): boolean;
  /** Whether the queue store takes what it puts in; true of a process that puts nothing in. */
  reachesQueues(): Promise<boolean>;
}

/** A database that has not answered by then is away. */
const DATABASE_PATIENCE_MILLISECONDS = 2000;

/**
 * Answers `/healthz` (the process lives and gets things done), `/readyz` (it can work: 503 with the reason while the
 * database or the queue store is away, this machine's clock is off, it is shutting down or gets nothing done) and
 * `/metrics` (Prometheus text over all tenants, for whoever asks from this machine itself or with the token for it).
 * False for any other path, which stays unanswered.
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
      const obstacle = await obstacleOf(parts, condition);
      answer(response, obstacle === null ? 200 : 503, obstacle === null ? 'ready' : `not ready: ${obstacle}`);
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

/** Why the process cannot work just now, null when it can. */
async function obstacleOf({ config, database }: Parts, condition: Condition): Promise<string | null> {
  if (condition.isStopping()) return 'stopping';
  if (!condition.isAlive()) return 'nothing moves';
  const [reachesDatabase, reachesQueues] = await Promise.all([
    isReachable(database, DATABASE_PATIENCE_MILLISECONDS),
    condition.reachesQueues(),
  ]);
  if (!reachesDatabase) return 'database';
  const aheadSeconds = await withinTime(secondsAhead(database.db), DATABASE_PATIENCE_MILLISECONDS).catch(() => null);
  if (aheadSeconds === null) return 'database';
  if (Math.abs(aheadSeconds) > config.GRIDCAST_MAX_SKEW_SECONDS) return 'clock';
  return reachesQueues ? null : 'queue store';
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
