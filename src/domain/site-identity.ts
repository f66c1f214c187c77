/**
 * As whom jobs come to a site: all of them as the gateway's own account (`GATEWAY`), or those of every tenant as an
 * account of its own (`PER_TENANT`). Sites are always looked at as the gateway.
 */
export const IDENTITY_RULES = ['GATEWAY', 'PER_TENANT'] as const;
export type IdentityRule = (typeof IDENTITY_RULES)[number];

/** Whose account a tenant's jobs have at a site. */
export interface TenantIdentity {
  /** Name of the tenant. */
  readonly tenant: string;
  /** The Unix user at the site. */
  readonly user: string;
}

/** As whom the jobs of the tenants come to a site. */
export interface SiteIdentities {
  readonly rule: IdentityRule;
  /** Only of the tenants that have one, by name; none where the rule is `GATEWAY`. */
  readonly tenants: readonly TenantIdentity[];
}

/** The same as a site's configuration says, without what proves it. Whatever is not said is of the gateway. */
export function identitiesOf(configuration: unknown): SiteIdentities {
  const { identity, identities } = (configuration ?? {}) as { identity?: unknown; identities?: unknown };
  if (identity !== 'PER_TENANT') return { rule: 'GATEWAY', tenants: [] };
  const tenants = Object.entries((identities ?? {}) as Record<string, { user?: unknown }>);
  return {
    rule: identity,
    tenants: tenants
      .map(([tenant, account]) => ({ tenant, user: String(account?.user ?? '') }))
      .sort((a, b) => (a.tenant < b.tenant ? -1 : 1)),
  };
}

/** The Unix user of a tenant's jobs at a site; null for the gateway's own, undefined where the tenant has none. */
export function userOf(configuration: unknown, tenant: string): string | null | undefined {
  const { rule, tenants } = identitiesOf(configuration);
  return rule === 'GATEWAY' ? null : tenants.find((one) => one.tenant === tenant)?.user;
}
