import type { Payload, SiteCheckAnswer } from '../client/answers.ts';
import { DOCUMENTS } from '../client/documents.ts';
import type { GraphqlClient } from '../client/graphql-client.ts';
import { CliFailure, EXIT, failureOf } from '../failure.ts';
import { parseConfiguration } from '../parse/configuration.ts';
import { renderCheck } from '../render/check.ts';
import { findSiteIds, type Session } from '../session.ts';

/** A registered site, or an adapter with its configuration. */
type Target = { readonly id: string } | { readonly adapter: string; readonly configuration: unknown };

/** `gridcast sites check [NAME]` */
export async function runCheckSite(
  { client, output }: Session,
  options: { adapter?: string; configuration?: string },
  name?: string,
): Promise<void> {
  const check = await requestCheck(client, await targetOf(client, options, name));
  output.result(check, () => renderCheck(check), check.passed ? 0 : EXIT.caller);
}

/** Has the service ask a site everything that is only read. @throws CliFailure when nothing was tried */
export async function requestCheck(client: GraphqlClient, input: Target): Promise<SiteCheckAnswer> {
  const { checkSite: payload } = await client.request<{ checkSite: Payload<'check', SiteCheckAnswer> }>(
    DOCUMENTS.checkSite,
    { input },
  );
  const failure = failureOf(payload.userErrors);
  if (failure || !payload.check) throw failure ?? new CliFailure('the service has checked nothing', EXIT.caller);
  return payload.check;
}

async function targetOf(
  client: GraphqlClient,
  { adapter, configuration }: { adapter?: string; configuration?: string },
  name?: string,
): Promise<Target> {
  const given = adapter !== undefined && configuration !== undefined;
  if (name !== undefined && adapter === undefined && configuration === undefined) {
    const [id = ''] = await findSiteIds(client, [name]);
    return { id };
  }
  if (name === undefined && given) return { adapter, configuration: parseConfiguration(configuration) };
  const remedy = 'gridcast sites check NAME, or gridcast sites check --adapter A --configuration @FILE';
  throw new CliFailure('give the name of a site, or an adapter and a configuration', EXIT.usage, remedy);
}
