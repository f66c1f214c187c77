import 'reflect-metadata';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenForChanges } from '../store/events.ts';
import { logFault } from '../store/log-fault.ts';
import { createApollo } from './apollo.ts';
import { ChangeHub } from './change-hub.ts';
import { createExpressApp, serveGraphql } from './http.ts';
import type { ApiOptions } from './options.ts';
import { buildApiSchema } from './schema.ts';
import { serveSubscriptions } from './sockets.ts';

export type { ApiOptions, FinishedOperation } from './options.ts';

/** A running API. */
export interface Api {
  /** Address of the GraphQL endpoint, for HTTP and WebSocket. */
  readonly url: string;
  readonly port: number;
  readonly httpServer: Server;
  /**
   * Takes no more requests, finishes those in hand, ends subscriptions, lets go of its own connections. Once is enough.
   */
  close(): Promise<void>;
}

/**
 * Starts one API process. It keeps no state: any number may run beside each other over one database. What was given to
 * it (database, forecaster) stays the caller's to close.
 * @throws Error of Node.js when it cannot listen at the address
 */
export async function startApi(options: ApiOptions): Promise<Api> {
  const { host, database, logger } = options;
  const schema = buildApiSchema();
  const changes = new ChangeHub();
  const app = createExpressApp(options);
  const httpServer = createServer({ keepAliveTimeout: IDLE_MILLISECONDS }, app);
  const apollo = createApollo(schema, httpServer, options);
  await apollo.start();
  serveGraphql(app, apollo, options, changes);
  const listener = await listenForChanges(
    database.url,
    (event) => changes.publish(event),
    (error) => logFault(logger, error, 'the connection that listens for changes was lost'),
    () => changes.repeat(),
  );
  const port = await listen(httpServer, host, options.port).catch(async (error: unknown) => {
    await apollo.stop();
    await listener.close();
    throw error;
  });
  // Not before: the WebSocket server would report a failure to listen as one of its own.
  const sockets = serveSubscriptions(httpServer, schema, options, changes);
  const shownHost = host.includes(':') ? `[${host}]` : host;
  let closing: Promise<void> | null = null;
  const close = async () => {
    changes.close();
    await sockets.close();
    await apollo.stop();
    await listener.close();
  };
  return {
    url: `http://${shownHost}:${port}/graphql`,
    port,
    httpServer,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/**
 * For so long an idle connection is kept: longer than proxies and clients keep theirs, which is a minute at most as a
 * rule, so that none of them sends a request on one that is being closed.
 */
const IDLE_MILLISECONDS = 75_000;

function listen(httpServer: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    httpServer.once('error', reject);
    httpServer.listen(port, host, () => {
      httpServer.off('error', reject);
      resolve((httpServer.address() as AddressInfo).port);
    });
  });
}
