import type { GraphqlClient } from '../client/graphql-client.ts';
import { about, CliFailure, EXIT } from '../failure.ts';
import { findSiteIds } from '../session.ts';

/** Options that say what work asks of its sites beside its size. */
export interface SiteRequestOptions {
  readonly account?: string;
  readonly qos?: string;
  readonly siteReservation?: string;
  /** `NAME=VALUE`. */
  readonly env?: readonly string[];
  readonly workFolder?: string;
  readonly mail?: { readonly address: string; readonly events?: readonly string[] };
  /** `SITE,queue=Q,account=A,qos=Q,reservation=R`. */
  readonly atSite?: readonly string[];
}

/** The same as inputs take them, without what is not said. */
export async function siteRequestsInput(client: GraphqlClient, options: SiteRequestOptions) {
  const { account, qos, siteReservation, env = [], workFolder, mail, atSite = [] } = options;
  const choices = atSite.map(parseAtSite);
  const ids = await findSiteIds(
    client,
    choices.map(({ site }) => site),
  );
  return {
    ...(choices.length > 0 && { sites: choices.map(({ site: _site, ...asked }, n) => ({ id: ids[n], ...asked })) }),
    ...(account !== undefined && { account }),
    ...(qos !== undefined && { qos }),
    ...(siteReservation !== undefined && { siteReservation }),
    ...(env.length > 0 && { environment: env.map(parseVariable) }),
    ...(workFolder !== undefined && { workFolder }),
    ...(mail && { mail }),
  };
}

/** Reads `ADDRESS` or `ADDRESS:begin,end,fail`. The service judges the address. @throws CliFailure for other words */
export function parseMail(text: string): { address: string; events?: string[] } {
  const at = text.lastIndexOf(':');
  if (at < 0) return { address: text };
  const events = text
    .slice(at + 1)
    .split(',')
    .map((event) => event.trim().toUpperCase());
  const odd = events.find((event) => !['BEGIN', 'END', 'FAIL'].includes(event));
  if (odd === undefined) return { address: text.slice(0, at), events };
  throw new CliFailure(`--mail "${text}" knows no ${odd.toLowerCase()}`, EXIT.usage, 'write ADDRESS:begin,end,fail');
}

function parseVariable(text: string): { name: string; value: string } {
  const at = text.indexOf('=');
  if (at > 0) return { name: text.slice(0, at), value: text.slice(at + 1) };
  throw new CliFailure(`--env "${text}" sets nothing`, EXIT.usage, 'write NAME=VALUE');
}

/** @throws CliFailure for a name that is there twice, as one of its values would be lost */
export function eachOnce(names: readonly string[]): void {
  const twice = names.find((name, n) => names.indexOf(name) < n);
  if (twice !== undefined) throw new CliFailure(`${twice} is told twice`, EXIT.usage, 'tell it once');
}

function parseAtSite(text: string): { site: string } & Record<string, string> {
  const [site = '', ...words] = text.split(',').map((part) => part.trim());
  const asked = words.map((word) => {
    const at = word.indexOf('=');
    const field = AT_SITE.get(word.slice(0, Math.max(0, at)));
    if (field !== undefined && at < word.length - 1) return [field, word.slice(at + 1)] as const;
    throw new CliFailure(`--at-site "${text}" knows no ${word || 'empty word'}`, EXIT.usage, HOW);
  });
  about(`--at-site "${text}"`, () => eachOnce(words.map((word) => word.split('=')[0] ?? '')));
  if (site !== '' && !site.includes('=') && asked.length > 0) return { ...Object.fromEntries(asked), site };
  throw new CliFailure(`--at-site "${text}" ${asked.length > 0 ? 'names no site' : 'asks nothing'}`, EXIT.usage, HOW);
}

const HOW = 'write SITE,queue=Q,account=A,qos=Q,reservation=R, any of the four';
const AT_SITE = new Map([
  ['queue', 'queue'],
  ['account', 'account'],
  ['qos', 'qos'],
  ['reservation', 'siteReservation'],
]);
