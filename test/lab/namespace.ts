import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Daemons, killTree } from './daemons.ts';

/**
 * A network, host name and file table of its own, in which daemons that insist on listening everywhere listen on
 * loopback only, and on the ports they always use.
 */
export class Namespace {
  constructor(
    private readonly daemons: Daemons,
    private readonly hostName: string,
    /** Other names of this machine in there, each with its address in 127.0.0.0/8. */
    private readonly hosts: Readonly<Record<string, string>> = {},
    /** Files and folders that others take the place of in there: what is there, and what of ours. */
    private readonly replaced: Readonly<Record<string, string>> = {},
  ) {}

  async start(): Promise<void> {
    const hosts = { [this.hostName]: '127.0.0.1', localhost: '127.0.0.1', ...this.hosts };
    const file = join(this.daemons.folder, 'hosts');
    writeFileSync(
      file,
      Object.entries(hosts)
        .map(([name, address]) => `${address} ${name}\n`)
        .join(''),
    );
    const isUp = join(this.daemons.folder, 'namespace.up');
    const mounts = Object.entries({ ...this.replaced, '/etc/hosts': file }).flatMap(([there, ours]) => [ours, there]);
    const words = ['sh', '-c', SET_UP, 'sh', this.hostName, isUp, ...mounts];
    this.daemons.launch(NAME, ['unshare', '--net', '--uts', '--mount', ...words]);
    await this.daemons.waitUntilReady(NAME, () => existsSync(isUp), 10);
  }

  /** Words to put before a command line for it to run in there. */
  get prefix(): readonly string[] {
    return ['nsenter', '-t', String(this.daemons.processOf(NAME)), '-n', '-u', '-m', '--'];
  }

  /** Whether a process runs in there. */
  holds(pid: number): boolean {
    const holder = this.daemons.processOf(NAME);
    return holder !== null && networkOf(pid) === networkOf(holder);
  }

  /** Ends everything that runs in there. */
  async stop(): Promise<void> {
    const holder = this.daemons.processOf(NAME);
    const pids = readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry))
      .map(Number);
    for (const pid of pids) if (pid !== holder && this.holds(pid)) killTree(pid);
    await this.daemons.stop(NAME);
  }
}

const NAME = 'namespace';
const SET_UP = `
ip link set lo up && hostname "$1" || exit
isUp=$2
shift 2
while [ $# -gt 0 ]; do mount --bind "$1" "$2" || exit; shift 2; done
touch "$isUp" && exec sleep infinity`;

function networkOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return null;
  }
}

/** Why namespaces cannot be made here; null when they can. */
export function namespacesMissing(): string | null {
  const { status } = spawnSync('unshare', ['--net', '--uts', '--mount', 'true']);
  return status === 0 ? null : 'network namespaces are not permitted here (`unshare --net` fails)';
}
