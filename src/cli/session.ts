import type { EpochSeconds } from '../domain/clock.ts';
import { bearerToken, type Config, readConfig } from '../main/config.ts';
import { DOCUMENTS } from './client/documents.ts';
import { type GraphqlClient, openClient } from './client/graphql-client.ts';
import { CliFailure, EXIT } from './failure.ts';
import { createOutput, type Output } from './output.ts';
import { type Moment, resolveMoment } from './parse/moment.ts';

/** Options that every command takes. */
export interface GlobalOptions {
  /** A text is a file that the command itself writes. */
  readonly json?: boolean | string;
  /** Long lists in JSON too. */
  readonly full?: boolean;
  readonly url?: string;
  readonly token?: string;
}

/** What a command works with. */
export interface Session {
  readonly output: Output;
  readonly config: Config;
  /** The service named by --url, GRIDCAST_URL or the configured host and port, in that order. */
  readonly client: GraphqlClient;
}

export function openSession(options: GlobalOptions, config = readConfig()): Session {
  const local = `http://${config.GRIDCAST_HOST}:${config.GRIDCAST_PORT}`;
  return {
    output: createOutput(options.json === true, options.full === true),
    config,
    client: openClient({
      url: checkUrl(options.url) ?? config.GRIDCAST_URL ?? local,
      token: checkToken(options.token) ?? config.GRIDCAST_TOKEN ?? null,
    }),
  };
}

function checkUrl(url: string | undefined): string | undefined {
  if (url === undefined || (URL.canParse(url) && /^https?:/.test(url))) return url;
  throw new CliFailure(`--url "${url}" is no address`, EXIT.usage, 'write for example http://127.0.0.1:4000');
}

/** The message has no word of the token, which is a secret. */
function checkToken(token: string | undefined): string | undefined {
  const [fault] = bearerToken.optional().safeParse(token).error?.issues ?? [];
  if (!fault) return token;
  throw new CliFailure(`--token ${fault.message}`, EXIT.usage, 'give one token, as `gridcast token create` prints it');
}

/** What the service's clock shows; in a demo that is not the wall's. */
export async function readServerTime(client: GraphqlClient): Promise<EpochSeconds> {
  const { serverTime } = await client.request<{ serverTime: string }>(DOCUMENTS.serverTime);
  return Date.parse(serverTime) / 1000;
}

/** A moment from the command line as the API wants it, null when it was not given. */
export async function toServerMoment(client: GraphqlClient, moment: Moment | undefined): Promise<string | null> {
  if (!moment) return null;
  const at = resolveMoment(moment, moment.kind === 'IN' ? await readServerTime(client) : 0);
  return new Date(at * 1000).toISOString();
}

/** Ids of the sites of those names. @throws CliFailure naming the ones that do not exist */
export async function findSiteIds(client: GraphqlClient, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const { sites } = await client.request<{ sites: { id: string; name: string }[] }>(DOCUMENTS.siteIds);
  const ids = new Map(sites.flatMap(({ id, name }) => [[name, id] as const, [id, id] as const]));
  const unknown = names.filter((name) => !ids.has(name));
  if (unknown.length > 0) {
    const known = sites.map(({ name }) => name).join(', ') || 'none; register one with `gridcast sites register`';
    const named = unknown.map((name) => `"${name}"`).join(', ');
    throw new CliFailure(`no site named ${named}`, EXIT.caller, `the sites are: ${known}`);
  }
  return names.map((name) => ids.get(name) as string);
}

/** The same as an input takes them: null, for every site, when no name is given. */
export async function allowedSiteIds(client: GraphqlClient, names: readonly string[]): Promise<string[] | null> {
  return names.length === 0 ? null : findSiteIds(client, names);
}
