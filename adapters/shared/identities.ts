import { z } from 'zod';
import { IDENTITY_RULES } from '../../src/domain/site-identity.ts';
import { schemaFaults } from './schema-faults.ts';

const path = z.string().startsWith('/');

/** A tenant's account at a site. What proves it is named by its file, never given here. */
const account = z.strictObject({
  user: z
    .string()
    .regex(/^[A-Za-z_][\w.-]{0,63}$/, 'must be a user name: letters, digits and _.-, the first a letter or _'),
  /** Over ssh, one of the two; beside slurmrestd where files go by ssh. */
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
  /** Those that are well-formed. */
  readonly identities: Readonly<Record<string, Account>>;
  /** What is wrong with what it says of them, a sentence a fault. */
  readonly faults: readonly string[];
}

/** Takes a configuration apart. */
export function takeIdentities(configuration: unknown): ParsedIdentities {
  if (typeof configuration !== 'object' || configuration === null || Array.isArray(configuration)) {
    return { own: configuration, identities: {}, faults: [] };
  }
  const { identity, identities: accounts, ...own } = configuration as Record<string, unknown>;
  const faults = schemaFaults(schema, { identity, identities: accounts }, 'configuration');
  const identities = wellFormed(accounts);
  if ((identity ?? 'GATEWAY') === 'GATEWAY' && Object.keys(identities).length > 0) {
    faults.push('identities: goes with identity PER_TENANT; set that, or leave the accounts out');
  }
  for (const [name, one] of Object.entries(identities)) {
    const fault = misfit(own, one);
    if (fault) faults.push(`identities.${name}: ${fault}`);
  }
  return { own, identities, faults };
}

function wellFormed(accounts: unknown): Record<string, Account> {
  if (typeof accounts !== 'object' || accounts === null) return {};
  const read = Object.entries(accounts).map(([name, one]) => [name, account.safeParse(one).data] as const);
  return Object.fromEntries(read.filter((entry): entry is [string, Account] => entry[1] !== undefined));
}

/** The configuration by which the jobs of one tenant are handled: the site's, as another user. */
export function asTenant(own: unknown, account: Account): unknown {
  const { transport, files, ...rest } = own as Folders & { transport?: Transport; files?: Transport };
  const { user, tokenFile } = account;
  const common = { ...rest, ...foldersOf(rest, account) };
  if (transport?.kind !== 'rest')
    return { ...common, ...(files && { files }), transport: commandsAs(transport, account) };
  // Its files are the user's, too: a folder of somebody else's lets neither the job nor its reader in.
  return {
    ...common,
    transport: { ...transport, user, tokenFile },
    ...(files && { files: commandsAs(files, account) }),
  };
}

/**
 * The folders of an account where they are not the site's own. In a work folder that all share each has its own, for
 * who makes one keeps the others out.
 */
function foldersOf(site: Folders, { user, workFolder }: Account): Folders {
  if (workFolder !== undefined) return { workFolder };
  if (site.workFolder === undefined) return {};
  return {
    outputFolder: site.outputFolder ?? `${site.workFolder}/gridcast-${user}`,
    stagingFolder: site.stagingFolder ?? `${site.workFolder}/gridcast-work-${user}`,
  };
}

interface Folders {
  readonly workFolder?: string;
  readonly outputFolder?: string;
  readonly stagingFolder?: string;
}

/** Where commands run, or slurmrestd is. */
interface Transport {
  readonly kind?: string;
}

/** Commands as the user of an account. */
function commandsAs(transport: Transport | undefined, { user, identityFile, agentSocket }: Account): Transport {
  if (transport?.kind !== 'ssh') return { kind: 'local', sudoUser: user } as Transport;
  // A shared connection is its user's alone.
  const { controlPath: _path, identityFile: _file, agentSocket: _socket, ...target } = transport as SshTransport;
  return { ...target, user, ...(identityFile && { identityFile }), ...(agentSocket && { agentSocket }) } as Transport;
}

interface SshTransport extends Transport {
  readonly controlPath?: string;
  readonly identityFile?: string;
  readonly agentSocket?: string;
}

/** Why an account cannot be used at a site; null where it can. */
function misfit({ transport, files }: Record<string, unknown>, { identityFile, agentSocket, tokenFile }: Account) {
  const kindOf = (one: unknown) => (one as Transport | null | undefined)?.kind;
  const kind = kindOf(transport) ?? 'local';
  const overSsh = identityFile !== undefined || agentSocket !== undefined;
  if (kind === 'ssh' && (!overSsh || tokenFile !== undefined)) {
    return 'over ssh it needs identityFile or agentSocket, and no tokenFile';
  }
  if (kind === 'rest' && tokenFile === undefined) return 'over slurmrestd it needs tokenFile';
  if (kind === 'rest' && overSsh !== (kindOf(files) === 'ssh')) {
    return overSsh
      ? 'over slurmrestd it takes identityFile or agentSocket only where files go by ssh'
      : 'it needs identityFile or agentSocket, too: the files of its jobs go by ssh';
  }
  if (kind === 'local' && (overSsh || tokenFile !== undefined)) {
    return 'with local commands, which run by sudo -u, it takes no file';
  }
  return null;
}
