import type { SiteAdapter } from './site-adapter.ts';

/** The adapters this deployment has, by name. */
export interface AdapterRegistry {
  readonly names: readonly string[];
  /** What is wrong with a configuration, a sentence per fault; empty when the adapter can work with it. */
  check(adapter: string, configuration: unknown): readonly string[];
  /**
   * Makes an adapter for one site: as the gateway, or as the account that a tenant has there. Nothing is contacted
   * before the first verb. Throws when `check` finds faults, or the tenant has no account.
   */
  connect(adapter: string, configuration: unknown, tenant?: string): SiteAdapter;
}
