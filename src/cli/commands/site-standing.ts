import type { Payload } from '../client/answers.ts';
import { SITE_DOCUMENTS } from '../client/site-documents.ts';
import { CliFailure, EXIT, failureOf } from '../failure.ts';
import { renderTable } from '../render/table.ts';
import { findSiteIds, type Session } from '../session.ts';

/** What is set at a site for the jobs that do not say it. */
interface DefaultsAnswer {
  readonly tenant: string | null;
  readonly queue: string | null;
  readonly account: string | null;
  readonly qos: string | null;
  readonly siteReservation: string | null;
  readonly workFolder: string | null;
  readonly mail: { readonly address: string; readonly events: readonly string[] } | null;
}

interface DefaultsOptions {
  readonly tenant?: string;
  readonly queue?: string;
  readonly account?: string;
  readonly qos?: string;
  readonly siteReservation?: string;
  readonly workFolder?: string;
  readonly mail?: { readonly address: string; readonly events?: readonly string[] };
  readonly clear?: boolean;
  readonly all?: boolean;
}

/** `gridcast sites defaults NAME` shows what holds there, or sets it anew. */
export async function runSiteDefaults(session: Session, options: DefaultsOptions, name = ''): Promise<void> {
  const { client } = session;
  const { clear = false, all = false, tenant, ...defaults } = options;
  const [id] = await findSiteIds(client, [name]);
  const sets = ['queue', 'account', 'qos', 'siteReservation', 'workFolder', 'mail'].some((one) => one in defaults);
  if (clear && sets) throw new CliFailure('--clear sets nothing', EXIT.usage, 'leave it out, or the others');
  if (!clear && !sets) return showDefaults(session, id ?? '', all || tenant !== undefined);
  const input = { id, tenant: tenant ?? null, ...pick(defaults) };
  const { setSiteDefaults } = await client.request<{ setSiteDefaults: Payload<'site', { name: string }> }>(
    SITE_DOCUMENTS.setSiteDefaults,
    { input },
  );
  const failure = failureOf(setSiteDefaults.userErrors);
  if (failure) throw failure;
  await showDefaults(session, id ?? '', true);
}

/** `gridcast sites identities NAME` */
export async function runSiteIdentities({ client, output }: Session, _options: unknown, name = ''): Promise<void> {
  const [id] = await findSiteIds(client, [name]);
  const { site } = await client.request<{
    site: {
      readonly identityRule: string;
      /** Null unless the caller is an admin. */
      readonly identities:
        | readonly {
            readonly tenant: string;
            readonly user: string;
            readonly checkedAt: string | null;
            readonly fault: string | null;
          }[]
        | null;
    };
  }>(SITE_DOCUMENTS.identities, { id });
  const isOne = site.identityRule === 'GATEWAY';
  const identities = isOne ? [] : forAdmins(site.identities, 'accounts of tenants');
  output.result(site, () => {
    if (isOne) return `at ${name} all jobs run as the gateway's own account`;
    const rows = identities.map((one) => [one.tenant, one.user, one.checkedAt ?? 'not yet', one.fault ?? 'none']);
    return renderTable(['tenant', 'user', 'checked', 'fault'], rows);
  });
}

async function showDefaults({ client, output }: Session, id: string, all: boolean): Promise<void> {
  const document = all ? SITE_DOCUMENTS.allDefaults : SITE_DOCUMENTS.defaults;
  const { site } = await client.request<{
    site: { readonly defaults?: DefaultsAnswer; readonly setDefaults?: readonly DefaultsAnswer[] | null };
  }>(document, { id });
  const own = site.defaults ? [site.defaults] : [];
  const rows = all ? forAdmins(site.setDefaults, 'defaults of every tenant') : own;
  output.result(rows, () =>
    renderTable(
      ['tenant', 'queue', 'account', 'qos', 'reservation', 'folder', 'mail'],
      rows.map((row) => [
        row.tenant ?? 'every one',
        ...[row.queue, row.account, row.qos, row.siteReservation, row.workFolder],
        row.mail && `${row.mail.address}: ${row.mail.events.join(', ').toLowerCase()}`,
      ]),
    ),
  );
}

/** What only admins are answered. @throws CliFailure where somebody else has asked */
function forAdmins<T>(answer: T | null | undefined, what: string): T {
  if (answer) return answer;
  throw new CliFailure(`${what} are for admins to see`, EXIT.caller, 'use the token of an admin');
}

function pick({ queue, account, qos, siteReservation, workFolder, mail }: Omit<DefaultsOptions, 'tenant'>) {
  return { queue, account, qos, siteReservation, workFolder, mail };
}
