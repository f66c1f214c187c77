import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { adapters } from '../../../adapters/index.ts';
import { advance } from '../../../src/flow/advance.ts';
import { readConfig } from '../../../src/main/config.ts';
import { flowContext } from '../../../src/main/flow-context.ts';
import { createLogger } from '../../../src/main/logger.ts';
import type { Parts } from '../../../src/main/wire.ts';
import { createSite } from '../../../src/store/sites.ts';
import type { ApiWorld } from '../graphql/api-world.ts';
import { NO_METERS } from './no-meters.ts';

/** What a site answers to a path, as an object, or as the text of the answer. */
export type Answers = Readonly<Record<string, unknown>>;

/** A site that says over the simulator's interface what it is told to, true or not. */
export interface ToldSite {
  readonly url: string;
  /** By the last word of the path; `status` as a number of its own stands for an empty answer. */
  answers: Answers;
  /** What it was asked, newest last. */
  readonly asked: string[];
  close(): void;
}

export async function tellSite(answers: Answers): Promise<ToldSite> {
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    const verb = pathname.split('/').at(-1) ?? '';
    site.asked.push(verb + search);
    const answer = site.answers[`${request.method} ${verb}`] ?? site.answers[verb];
    request.resume().once('end', () => {
      response.writeHead(answer === undefined ? 500 : 200, { 'content-type': 'application/json' });
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? { error: 'no such thing' }));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const site: ToldSite = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    asked: [],
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return site;
}

/** Steps of a worker as the service puts it together, over the database and the clock of an API's world. */
export interface Steps {
  /** Registers a site with the adapter and looks at it once; its id. */
  register(name: string, adapter: string, configuration: object): Promise<string>;
  observe(siteId: string): Promise<void>;
  /** Gives an execution its turn. */
  execute(executionId: string): Promise<void>;
  readonly logged: Record<string, unknown>[];
}

export function stepsOver({ stores, clock, forecaster }: ApiWorld): Steps {
  const { database } = stores;
  const logged: Record<string, unknown>[] = [];
  const config = readConfig({ GRIDCAST_LOG_LEVEL: 'info' });
  const logger: Logger = createLogger(config, 'test', { write: (line: string) => void logged.push(JSON.parse(line)) });
  const parts = { config, clock, logger, database, forecaster, metrics: { flow: NO_METERS }, adapters };
  const context = flowContext(parts as unknown as Parts);
  const turn = async (kind: 'SITE' | 'EXECUTION', targetId: string) => {
    await advance(context, { kind, targetId, wakeAt: clock.now(), requestId: null });
  };
  return {
    logged,
    async register(name, adapter, configuration) {
      const site = await createSite(database.db, { name, adapter, configuration, now: clock.now() });
      await turn('SITE', site.id);
      return site.id;
    },
    observe: (siteId) => turn('SITE', siteId),
    execute: (executionId) => turn('EXECUTION', executionId),
  };
}
