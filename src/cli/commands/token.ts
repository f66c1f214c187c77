import { CallerError } from '../../domain/failures.ts';
import { createToken as createTokenInDatabase, revokeTokenByText } from '../../main/administration.ts';
import { CliFailure, EXIT } from '../failure.ts';
import { parseWord } from '../parse/work.ts';
import type { Session } from '../session.ts';
import { databaseUrlOf } from './database-url.ts';

interface CreateOptions {
  readonly tenant: string;
  readonly principal: string;
  readonly role: string;
  readonly expiresDays?: number;
}

const ROLES = ['ADMIN', 'GATEWAY', 'WORKFLOW'] as const;

/** `gridcast token create` */
export async function createToken({ config, output }: Session, options: CreateOptions): Promise<void> {
  const word = parseWord('role', options.role, ROLES);
  const role = ROLES.find((known) => known === word) ?? 'GATEWAY';
  const { tenant, principal, expiresDays = null } = options;
  const token = await createTokenInDatabase(config, databaseUrlOf(config), { tenant, principal, role, expiresDays });
  output.result({ token, tenant, principal, role }, () => token);
}

/** `gridcast token revoke TEXT` */
export async function takeTokenBack({ config, output }: Session, _options: unknown, token = ''): Promise<void> {
  try {
    await revokeTokenByText(config, databaseUrlOf(config), token);
  } catch (error) {
    if (error instanceof CallerError) throw new CliFailure(error.message, EXIT.caller);
    throw error;
  }
  output.result({ revoked: true }, () => 'the token is revoked');
}
