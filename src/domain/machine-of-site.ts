/**
 * Which machine a site is, as far as it shows in how it is reached. Two of a text are one machine; two texts may still
 * be.
 * @param configuration as the adapter takes it: where commands run and with which variables, or an address
 */
export function machineOfSite(adapter: string, configuration: unknown): string {
  const { transport, environment, url, site } = (configuration ?? {}) as Record<string, unknown>;
  if (transport === undefined && url === undefined) return JSON.stringify([adapter, sorted(configuration)]);
  const { kind, host, port, configFile, url: address, socketPath } = (transport ?? {}) as Record<string, unknown>;
  const variables = Object.entries(environment ?? {}).filter(([name]) => !OF_ANY_MACHINE.has(name));
  return JSON.stringify([adapter, { kind, host, port, configFile, address, socketPath }, variables.sort(), url, site]);
}

/** Variables that say nothing of which machine commands speak to. */
const OF_ANY_MACHINE = new Set(['PATH', 'LANG', 'LC_ALL', 'TZ', 'HOME', 'LD_LIBRARY_PATH']);

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}
