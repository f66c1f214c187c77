import type { IncomingMessage, ServerResponse } from 'node:http';
import { isReachable } from '../store/database.ts';
import type { Parts } from './wire.ts';

/**
 * Answers `/healthz` (the process lives), `/readyz` (it can work: 503 while the database is away or it is shutting down) and
 * `/metrics` (Prometheus text). False for any other path, which stays unanswered.
 */
export async function answerHealth(
  parts: Parts,
  isStopping: () => boolean,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  switch (request.url?.split('?')[0]) {
    case '/healthz':
      answer(response, 200, 'ok');
      return true;
    case '/readyz': {
      const ready = !isStopping() && (await isReachable(parts.database));
      answer(response, ready ? 200 : 503, ready ? 'ready' : 'not ready');
      return true;
    }
    case '/metrics': {
      const text = await parts.metrics.registry.metrics();
      answer(response, 200, text, parts.metrics.registry.contentType);
      return true;
    }
    default:
      return false;
  }
}

function answer(response: ServerResponse, status: number, body: string, contentType = 'text/plain'): void {
  response.writeHead(status, { 'content-type': contentType }).end(body);
}
