import { z } from 'zod';
import { IDENTITY_RULES } from '../../src/domain/site-identity.ts';

const path = z.string().startsWith('/', 'an absolute path');

/** A tenant's account at a site. What proves it is named by its file, never given here. */
const account = z.strictObject({
  user: z.string().regex(/^[A-Za-z_][\w.-]{0,63}$/, 'a user name'),
  /** Over ssh, one of the two. */
  identityFile: path.optional(),
  agentSocket: path.optional(),
  /** Over slurmrestd. */
  tokenFile: path.optional(),
  /** In place of the site's. */
  workFolder: path.optional(),
});
type Account = z.output<typeof account>;

const schema = z.object({
  /** As whom jobs come there, see `IDENTITY_RULES`. */
  identity: z.enum(IDENTITY_RULES).default('GATEWAY'),
  /** By the names of tenants. */
  identities: z.record(z.string().min(1).max(128), account).default({}),
});

/** What a configuration says of identities, and what it says to its adapter. */
export interface ParsedIdentities {
  readonly own: unknown;
  readonly identities: Readonly<Record<string, Account>>;
}

/** Takes a configuration apart. What is wrong with its identities comes as an error of the schema. */
export function takeIdentities(configuration: unknown): z.ZodSafeParseResult<ParsedIdentities> {
  if (typeof configuration !== 'object' || configuration === null || Array.isArray(configuration)) {
    return { success: true, data: { own: configuration, identities: {} } };
  }
  const { identity, identities, ...own } = configuration as Record<string, unknown>;
  return schema
    .transform((said, context): ParsedIdentities => {
      const names = Object.keys(said.identities);
      if (said.identity === 'GATEWAY' && names.length > 0) {
        context.addIssue({ code: 'custom', path: ['identities'], message: 'goes with identity PER_TENANT' });
      }
      for (const name of names) {
        const fault = misfit(own.transport, said.identities[name] as Account);
        if (fault) context.addIssue({ code: 'custom', path: ['identities', name], message: fault });
      }
      return { own, identities: said.identities };
    })
    .safeParse({ ...(identity !== undefined && { identity }), ...(identities !== undefined && { identities }) });
}

/** The configuration by which the jobs of one tenant are handled: the site's, as another user. */
export function asTenant(own: unknown, { user, identityFile, agentSocket, tokenFile, workFolder }: Account): unknown {
  const { transport, ...rest } = own as { transport?: { kind?: string } };
  const folder = workFolder === undefined ? {} : { workFolder };
  if (transport?.kind === 'ssh') {
    // A shared connection is its user's alone.
    const {
      controlPath: _path,
      identityFile: _file,
      agentSocket: _socket,
      ...target
    } = transport as Record<string, unknown>;
    const proof = { ...(identityFile && { identityFile }), ...(agentSocket && { agentSocket }) };
    return { ...rest, ...folder, transport: { ...target, user, ...proof } };
  }
  if (transport?.kind === 'rest') return { ...rest, ...folder, transport: { ...transport, user, tokenFile } };
  return { ...rest, ...folder, transport: { kind: 'local', sudoUser: user } };
}

/** Why an account cannot be used over a transport; null where it can. */
function misfit(transport: unknown, { identityFile, agentSocket, tokenFile }: Account): string | null {
  const kind = (transport as { kind?: unknown } | undefined)?.kind ?? 'local';
  const overSsh = identityFile !== undefined || agentSocket !== undefined;
  if (kind === 'ssh' && (!overSsh || tokenFile !== undefined)) {
    return 'over ssh it needs identityFile or agentSocket, and no tokenFile';
  }
  if (kind === 'rest' && (tokenFile === undefined || overSsh)) return 'over slurmrestd it needs tokenFile alone';
  if (kind === 'local' && (overSsh || tokenFile !== undefined)) {
    return 'with local commands, which run by sudo -u, it takes no file';
  }
  return null;
}
