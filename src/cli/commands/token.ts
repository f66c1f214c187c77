import { CallerError } from '../../domain/failures.ts';
import {
  createToken as createTokenInDatabase,
  listTokens as listTokensInDatabase,
  revokeToken,
} from '../../main/administration.ts';
import { about, CliFailure, EXIT } from '../failure.ts';
import { parseDuration } from '../parse/duration.ts';
import { parseWord } from '../parse/work.ts';
import { renderTable } from '../render/table.ts';
import type { Session } from '../session.ts';
import { databaseUrlOf } from './database-url.ts';

interface CreateOptions {
  readonly tenant: string;
  readonly principal: string;
  readonly role: string;
  readonly expires: string;
  readonly newTenant?: boolean;
}

const ROLES = ['ADMIN', 'GATEWAY', 'WORKFLOW'] as const;

/** `gridcast token create` */
export async function createToken({ config, output }: Session, options: CreateOptions): Promise<void> {
  const word = parseWord('role', options.role, ROLES);
  const role = ROLES.find((known) => known === word) ?? 'GATEWAY';
  const { tenant, principal, newTenant = false } = options;
  const expiresSeconds = options.expires === 'never' ? null : about('--expires', () => parseDuration(options.expires));
  const request = { tenant, principal, role, expiresSeconds, newTenant };
  const made = await plainly(() => createTokenInDatabase(config, databaseUrlOf(config), request));
  const { id, token } = made;
  output.result({ id, token, tenant, principal, role, expiresAt: isoOf(made.expiresAt) }, () => token);
}

/** A token as it is listed; moments are ISO texts. */
interface TokenLine {
  readonly id: string;
  readonly tenant: string;
  readonly principal: string;
  readonly role: string;
  readonly createdAt: string | null;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

/** `gridcast token list` */
export async function listTokens(
  { config, output }: Session,
  options: { readonly tenant?: string; readonly all?: boolean },
): Promise<void> {
  const { tenant = null, all = false } = options;
  const tokens = await listTokensInDatabase(config, databaseUrlOf(config), { tenant, all });
  const listed = tokens.map(({ createdAt, expiresAt, lastUsedAt, revokedAt, ...who }) => ({
    ...who,
    ...{ createdAt: isoOf(createdAt), expiresAt: isoOf(expiresAt) },
    ...{ lastUsedAt: isoOf(lastUsedAt), revokedAt: isoOf(revokedAt) },
  }));
  const none = `no token is good${tenant === null ? '' : ` in tenant ${tenant}`}; \`gridcast token create\` makes one`;
  output.result(listed, () => (listed.length === 0 ? none : renderTokens(listed, all)));
}

function renderTokens(listed: readonly TokenLine[], all: boolean): string {
  return renderTable(
    ['id', 'tenant', 'principal', 'role', 'created', 'expires', 'last used', ...(all ? ['revoked'] : [])],
    listed.map((token) => [
      ...[token.id, token.tenant, token.principal, token.role.toLowerCase(), token.createdAt],
      ...[token.expiresAt ?? 'never', token.lastUsedAt ?? 'never', ...(all ? [token.revokedAt] : [])],
    ]),
  );
}

/** `gridcast token revoke ID` */
export async function takeTokenBack({ config, output }: Session, _options: unknown, idOrText = ''): Promise<void> {
  await plainly(() => revokeToken(config, databaseUrlOf(config), idOrText));
  output.result({ revoked: true }, () => 'the token is revoked');
}

/** What a caller did wrong as the command line says it. */
async function plainly<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CallerError)) throw error;
    const remedy = error.field === 'tenant' && error.code === 'NOT_FOUND' ? 'to make a tenant, say --new-tenant' : null;
    throw new CliFailure(error.message, EXIT.caller, remedy);
  }
}

function isoOf(at: number | null): string | null {
  return at === null ? null : new Date(at * 1000).toISOString();
}
