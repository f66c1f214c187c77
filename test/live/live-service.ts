import { setTimeout as sleep } from 'node:timers/promises';
import request from 'supertest';
import { createToken } from '../../src/main/administration.ts';
import { readConfig } from '../../src/main/config.ts';
import { startServerProcess } from '../../src/main/server.ts';
import { startWorkerProcess } from '../../src/main/worker.ts';
import { createTestDatabase, type TestDatabase } from '../service/database.ts';
import { REGISTER_SITE } from '../service/graphql/documents.ts';
import { QUICKEST_CONFIGURED } from '../service/quickest.ts';

/** A site as it is registered. */
export interface LiveSite {
  readonly name: string;
  readonly adapter: string;
  readonly configuration: unknown;
}

/** The whole service on wall time: API and worker as their processes start them, a real database, real sites. */
export interface LiveService {
  readonly stores: TestDatabase;
  readonly url: string;
  /** Of its administrator. */
  readonly token: string;
  /** Global ids of the sites, by name. */
  readonly sites: Readonly<Record<string, string>>;
  /** Sends a GraphQL document as an administrator. @throws Error with the errors of the answer */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  ask(query: string, variables?: object): Promise<any>;
  /** The same as an administrator of another tenant. */
  askAs(tenant: string): Promise<LiveService['ask']>;
  /** Asks until the answer satisfies the condition, and returns it. */
  askUntil(
    what: string,
    query: string,
    variables: object,
    // biome-ignore lint/suspicious/noExplicitAny: the same
    condition: (data: any) => boolean,
    seconds?: number,
    ask?: LiveService['ask'],
    // biome-ignore lint/suspicious/noExplicitAny: the same
  ): Promise<any>;
  close(): Promise<void>;
}

/** Intervals that suit clusters whose jobs last seconds. */
const SETTINGS = {
  GRIDCAST_PORT: '0',
  GRIDCAST_LOG_LEVEL: 'silent',
  GRIDCAST_OBSERVE_SECONDS: '2',
  GRIDCAST_HISTORY_SECONDS: '5',
  GRIDCAST_RECOMPUTE_SECONDS: '5',
  GRIDCAST_HANDOVER_SECONDS: '5',
  GRIDCAST_RETRY_SECONDS: '3',
  ...QUICKEST_CONFIGURED,
  GRIDCAST_ALSO_SCORED: 'baseline/mean',
};

/**
 * Starts the service, registers the sites and waits until each has been observed.
 * @param settings in place of ours or beside them
 */
export async function startLiveService(
  sites: readonly LiveSite[],
  settings: Readonly<Record<string, string>> = {},
): Promise<LiveService> {
  const stores = await createTestDatabase();
  const config = readConfig({ ...SETTINGS, ...settings, DATABASE_URL: stores.url });
  const api = await startServerProcess(config);
  const worker = await startWorkerProcess(config);
  const { origin, pathname } = new URL(api.url);
  const tokenOf = async (tenant: string) => {
    const who = { tenant, principal: 'alice', role: 'ADMIN', expiresSeconds: null, newTenant: true } as const;
    return (await createToken(config, stores.url, who)).token;
  };
  const askWith =
    (bearer: string): LiveService['ask'] =>
    async (query, variables = {}) => {
      const answer = await request(origin)
        .post(pathname)
        .set('authorization', `Bearer ${bearer}`)
        .set('accept', 'application/graphql-response+json')
        .send({ query, variables });
      if (answer.body.errors) throw new Error(JSON.stringify(answer.body.errors));
      return answer.body.data;
    };
  const token = await tokenOf('physics');
  const ask = askWith(token);
  const askUntil: LiveService['askUntil'] = async (what, query, variables, condition, seconds = 60, asker = ask) => {
    const giveUpAt = performance.now() + seconds * 1000;
    for (;;) {
      const data = await asker(query, variables);
      if (condition(data)) return data;
      if (performance.now() > giveUpAt)
        throw new Error(`not within ${seconds} s: ${what}; it is ${JSON.stringify(data)}`);
      await sleep(250);
    }
  };

  const ids: Record<string, string> = {};
  for (const input of sites) {
    const { registerSite } = await ask(REGISTER_SITE, { input });
    if (registerSite.userErrors.length > 0) throw new Error(JSON.stringify(registerSite.userErrors));
    ids[input.name] = registerSite.site.id;
  }
  for (const id of Object.values(ids)) {
    const observed = 'query Site($id: ID!) { site(id: $id) { name observedAt fault processors } }';
    await askUntil('the site is observed', observed, { id }, ({ site }) => site.observedAt !== null);
  }
  return {
    stores,
    url: api.url,
    token,
    sites: ids,
    ask,
    askAs: async (tenant) => askWith(await tokenOf(tenant)),
    askUntil,
    async close() {
      await worker.close();
      await api.close();
      await stores.drop();
    },
  };
}
