import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Trouble } from '../../conformance/adapters/site-under-test.ts';

/**
 * Stands before an HTTP server. While the trouble lasts it passes requests on and drops the answers.
 * @param share of the answers that is dropped
 */
export async function startLossyProxy(
  target: string,
  share = 1,
): Promise<Trouble & { readonly url: string; close(): Promise<void> }> {
  let loses = false;
  const proxy = createServer((incoming, answer) => {
    const { method, headers, url } = incoming;
    const onward = request(new URL(url ?? '/', target), { method, headers }, async (reply) => {
      const body = await buffer(reply);
      if (loses && method !== 'GET' && Math.random() < share) answer.destroy();
      else answer.writeHead(reply.statusCode ?? 502, reply.headers).end(body);
    });
    onward.on('error', () => answer.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    begin() {
      loses = true;
    },
    end() {
      loses = false;
    },
    async close() {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}
