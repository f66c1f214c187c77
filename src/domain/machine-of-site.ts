import { canonical } from './canonical.ts';

/**
 * Which machine a site is, as far as it shows in how it is reached. Two of a text are one machine; two texts may still
 * be.
 * @param configuration as the adapter takes it: where commands run and with which variables, or an address
 */
export function machineOfSite(adapter: string, configuration: unknown): string {
  const { transport, environment, url, site } = (configuration ?? {}) as Record<string, unknown>;
  if ((transport ?? environment ?? url) === undefined) return canonical({ adapter, configuration });
  const { kind = 'local', host, port, configFile, ...reach } = (transport ?? {}) as Record<string, unknown>;
  const { url: address, socketPath } = reach;
  const way = { kind, host, port, configFile, address, socketPath };
  return canonical({ adapter, way, environment: telling(environment), url, site });
}

/** The variables by which machines are told apart. PATH is one where there is no other: it leads to the commands. */
function telling(environment: unknown): Record<string, unknown> {
  const named = Object.entries(environment ?? {}).filter(([name]) => !OF_ANY_MACHINE.has(name));
  const others = named.filter(([name]) => name !== 'PATH');
  return Object.fromEntries(others.length > 0 ? others : named);
}

/** Variables that say nothing of which machine commands speak to. */
const OF_ANY_MACHINE = new Set(['LANG', 'LC_ALL', 'TZ', 'HOME', 'LD_LIBRARY_PATH']);
