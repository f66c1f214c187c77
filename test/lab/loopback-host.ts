import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';

/** A host name that means 127.0.0.1 to the daemons, and how to start them where it does. */
export interface LoopbackHost {
  readonly name: string;
  /** Words to put before a daemon's own command line. */
  readonly prefix: readonly string[];
}

/**
 * Daemons that are told not to listen everywhere listen on the address of their own host name. Where that is not
 * loopback, they are started in a UTS namespace of their own whose host is called localhost.
 */
export function loopbackHost(): LoopbackHost {
  const name = hostname().split('.')[0] ?? 'localhost';
  const address = spawnSync('getent', ['ahostsv4', name], { encoding: 'utf8' }).stdout;
  if (address.startsWith('127.')) return { name, prefix: [] };
  return { name: 'localhost', prefix: ['unshare', '--uts', 'sh', '-c', 'hostname localhost; exec "$@"', 'sh'] };
}
