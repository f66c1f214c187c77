import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Daemons, killTree, listensOn, processesNamed } from '../daemons.ts';
import { loopbackHost } from '../loopback-host.ts';
import { writeStandIns } from '../stand-ins.ts';
import { type Account, accountOf, ensureUser, LAB_USERS, type LabUser } from '../users.ts';
import {
  accountingConfiguration,
  deviceFiles,
  devicesConfiguration,
  MAX_NODES,
  type SlurmClusterSpec,
  type SlurmPorts,
  slurmConfiguration,
  slurmFiles,
  slurmPorts,
} from './configuration.ts';
import { startDatabase } from './database.ts';

/** What a command said. */
export interface CommandResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running Slurm cluster of its own, and what can be done to it. */
export class SlurmCluster {
  readonly ports: SlurmPorts;
  readonly daemons: Daemons;
  readonly files: ReturnType<typeof slurmFiles>;
  private readonly host = loopbackHost();

  constructor(
    readonly folder: string,
    readonly spec: SlurmClusterSpec,
    base: number,
  ) {
    if (spec.nodes > MAX_NODES)
      throw new RangeError(`${spec.nodes} nodes; a cluster of the lab has ${MAX_NODES} at most`);
    this.ports = slurmPorts(base);
    this.daemons = new Daemons(folder);
    this.files = slurmFiles(folder);
  }

  get name(): string {
    return this.spec.name;
  }

  get processors(): number {
    return this.spec.nodes * this.spec.processorsPerNode;
  }

  /** What a client of this cluster has in its environment. */
  get environment(): Readonly<Record<string, string>> {
    return { SLURM_CONF: this.files.configuration };
  }

  /** The same for clients that run as a user of the lab, whoever calls them. */
  clientEnvironment(user: LabUser): Readonly<Record<string, string>> {
    return { ...this.environment, PATH: `${join(this.files.clients, user)}:/usr/bin:/bin` };
  }

  /** Address of slurmrestd. */
  get restUrl(): string {
    return `http://127.0.0.1:${this.ports.rest}`;
  }

  /** Writes everything down and starts every daemon; returns when all nodes take jobs. */
  async start(): Promise<void> {
    this.writeFiles();
    await this.startMunge();
    if (this.spec.accounting) await this.startAccounting();
    await this.startController();
    for (const node of this.nodes) this.launchNode(node);
    await this.waitForNodes(this.nodes);
    if (this.spec.rest) await this.startRest();
    for (const words of this.spec.accounts ?? []) this.mustRun(['sacctmgr', '--immediate', ...words]);
    for (const user of LAB_USERS) writeClients(join(this.files.clients, user), user);
  }

  /** Stops every daemon by its pid, the controller first so that it requeues nothing, and ends the jobs' processes. */
  async stop(): Promise<void> {
    await this.daemons.stop('slurmrestd');
    await this.daemons.stop('slurmctld');
    this.endSteps(this.nodes);
    await Promise.all(this.nodes.map((node) => this.daemons.stop(nodeDaemon(node))));
    for (const name of ['slurmdbd', 'mariadbd', 'munged']) await this.daemons.stop(name);
  }

  get nodes(): readonly string[] {
    return Array.from({ length: this.spec.nodes }, (_, index) => `${this.spec.name}${index + 1}`);
  }

  /** Starts the controller and waits until it answers. */
  async startController(): Promise<void> {
    this.daemons.launch('slurmctld', [
      ...this.host.prefix,
      '/usr/sbin/slurmctld',
      '-D',
      '-f',
      this.files.configuration,
    ]);
    await this.daemons.waitUntilReady('slurmctld', () => this.answers());
  }

  /** Ends the controller at once; what it had not yet saved is lost. */
  killController(): Promise<void> {
    return this.daemons.kill('slurmctld');
  }

  /** Ends the controller in good order: everything is saved. */
  stopController(): Promise<void> {
    return this.daemons.stop('slurmctld');
  }

  /**
   * Ends the controller at once and starts it again with what it had saved at an earlier moment, as `saveState` kept
   * it.
   */
  async loseSince(saved: string): Promise<void> {
    await this.killController();
    rmSync(this.files.state, { recursive: true });
    copyFolder(saved, this.files.state);
    await this.startController();
  }

  /** Keeps what the controller has saved so far; returns the folder. */
  saveState(): string {
    const saved = `${this.files.state}.saved`;
    copyFolder(this.files.state, saved);
    return saved;
  }

  /** The controller accepts connections and answers none. */
  hangController(): void {
    this.daemons.signal('slurmctld', 'SIGSTOP');
  }

  resumeController(): void {
    this.daemons.signal('slurmctld', 'SIGCONT');
  }

  /** As if a node's power went: its daemon and everything it ran are gone at once. */
  async crashNode(node: string): Promise<void> {
    await this.daemons.kill(nodeDaemon(node));
    this.endSteps([node]);
  }

  /** What an administrator does who hears of a crash before the controller has noticed it (after 30 to 40 s). */
  markNodeDown(node: string): void {
    this.run(['scontrol', 'update', `nodename=${node}`, 'state=down', 'reason=crashed']);
  }

  /** Starts a node that crashed and waits until it takes jobs again. */
  async startNode(node: string): Promise<void> {
    if (!this.daemons.isAlive(nodeDaemon(node))) this.launchNode(node);
    this.run(['scontrol', 'update', `nodename=${node}`, 'state=resume']);
    await this.waitForNodes([node]);
  }

  /** A JWT for slurmrestd. */
  token(user: LabUser | 'slurm', lifespanSeconds = 3600): string {
    const answer = this.mustRun(['scontrol', 'token', `username=${user}`, `lifespan=${lifespanSeconds}`]);
    return answer.trim().replace('SLURM_JWT=', '');
  }

  /** Runs a client command of this cluster, as root or as a user of the lab; the command's failure is in the answer. */
  run(argv: readonly string[], { user, input }: { user?: LabUser; input?: string } = {}): CommandResult {
    const [command = '', ...rest] = argv;
    const { status, stdout, stderr } = spawnSync(command, rest, {
      encoding: 'utf8',
      cwd: '/tmp',
      maxBuffer: 1 << 28,
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', ...this.environment },
      ...(input !== undefined && { input }),
      ...(user && accountOf(user)),
    });
    return { status, stdout, stderr };
  }

  /** The output of a client command that must succeed. @throws Error with its words when it does not */
  mustRun(argv: readonly string[]): string {
    const { status, stdout, stderr } = this.run(argv);
    if (status !== 0) throw new Error(`${argv.join(' ')} failed: ${stderr || stdout}`);
    return stdout;
  }

  private answers(): boolean {
    return this.run(['scontrol', 'ping']).status === 0;
  }

  private async waitForNodes(nodes: readonly string[]): Promise<void> {
    const listing = ['sinfo', '--noheader', '--Node', `--nodes=${nodes.join(',')}`, '--format=%N %t'];
    const ready = () => {
      const lines = this.run(listing).stdout.match(/^\S+ (?:idle|mix|alloc)$/gm) ?? [];
      return new Set(lines.map((line) => line.split(' ')[0])).size === nodes.length;
    };
    await this.daemons.waitUntilReady('slurmctld', ready);
  }

  private writeFiles(): void {
    const slurm = ensureUser('slurm', '--system');
    const munge = ensureUser('munge', '--system');
    const { files } = this;
    for (const folder of ['etc', 'run']) ownedFolder(join(this.folder, folder), slurm);
    for (const file of [files.state, dirname(files.jobCompletions)]) ownedFolder(file, slurm);
    ownedFolder(dirname(files.mungeKey), munge);
    for (const node of this.nodes) mkdirSync(this.spoolOf(node), { recursive: true });
    writeSecret(files.mungeKey, munge, randomBytes(1024));
    writeSecret(files.jwtKey, slurm, randomBytes(32));
    writeFileSync(files.configuration, slurmConfiguration(this.folder, this.spec, this.ports, this.host.name));
    if (this.spec.accounting)
      writeSecret(files.accountingConfiguration, slurm, accountingConfiguration(this.folder, this.ports));
    this.writeDevices();
  }

  private writeDevices(): void {
    const { gres = [] } = this.spec;
    if (gres.length === 0) return;
    mkdirSync(this.files.devices, { recursive: true });
    const devices = gres.flatMap((some) => some.nodes.flatMap((node) => deviceFiles(this.folder, some, node)));
    for (const file of devices) standInForDevice(file);
    writeFileSync(this.files.devicesConfiguration, devicesConfiguration(this.folder, this.spec));
  }

  /** Starts the service by which daemons and clients know each other. */
  async startMunge(): Promise<void> {
    const folder = dirname(this.files.mungeKey);
    this.daemons.launch(
      'munged',
      [
        ...['/usr/sbin/munged', '--foreground', `--key-file=${this.files.mungeKey}`, '--num-threads=10'],
        ...[`--socket=${this.files.mungeSocket}`, `--pid-file=${folder}/munged.pid`],
        ...[`--log-file=${folder}/munged.log`, `--seed-file=${folder}/munged.seed`],
      ],
      ensureUser('munge', '--system'),
    );
    await this.daemons.waitUntilReady(
      'munged',
      () => this.run(['munge', '-n', '-S', this.files.mungeSocket]).status === 0,
    );
  }

  /** From now on nobody knows anybody. */
  stopMunge(): Promise<void> {
    return this.daemons.stop('munged');
  }

  private async startAccounting(): Promise<void> {
    await startDatabase(this.daemons, this.ports.database);
    // slurmdbd looks for its configuration beside the file that SLURM_CONF names.
    this.daemons.launch('slurmdbd', ['/usr/sbin/slurmdbd', '-D'], { environment: this.environment });
    await this.daemons.waitUntilReady('slurmdbd', () => listensOn(this.ports.accounting));
  }

  /**
   * slurmrestd refuses to run as root or as Slurm's own user, and needs to be told which plugins work without slurmdbd.
   */
  private async startRest(): Promise<void> {
    const versions = ['v0.0.36', 'v0.0.37', 'v0.0.38'];
    const plugins = versions.flatMap((version) => [
      `openapi/${version}`,
      ...(this.spec.accounting ? [`openapi/db${version}`] : []),
    ]);
    const rest = ensureUser('restd', '--system', '--shell', '/usr/sbin/nologin');
    ownedFolder(dirname(this.files.restSocket), rest);
    this.daemons.launch(
      'slurmrestd',
      [
        ...['/usr/sbin/slurmrestd', '-a', 'rest_auth/jwt', '-s', plugins.join(','), '-t', '20'],
        ...[`127.0.0.1:${this.ports.rest}`, `unix:${this.files.restSocket}`],
      ],
      // With SLURM_JWT slurmrestd shows the caller's token to the controller instead of a munge credential of its own.
      { ...rest, environment: { ...this.environment, SLURM_JWT: 'daemon' } },
    );
    await this.daemons.waitUntilReady('slurmrestd', () => listensOn(this.ports.rest));
  }

  private launchNode(node: string): void {
    const daemon = [...this.host.prefix, '/usr/sbin/slurmd', '-D', '-f', this.files.configuration, '-N', node];
    this.daemons.launch(nodeDaemon(node), daemon, { environment: this.environment, cwd: this.spoolOf(node) });
  }

  /** Step daemons survive their slurmd by design: ends those of the given nodes, with the jobs below them. */
  private endSteps(nodes: readonly string[]): void {
    const folders = new Set(nodes.map((node) => this.spoolOf(node)));
    for (const pid of processesNamed('slurmstepd', (pid) => folders.has(readlinkSync(`/proc/${pid}/cwd`))))
      killTree(pid);
  }

  private spoolOf(node: string): string {
    return join(this.files.spool, node);
  }
}

function nodeDaemon(node: string): string {
  return `slurmd-${node}`;
}

function ownedFolder(path: string, { uid, gid }: Account): void {
  mkdirSync(path, { recursive: true });
  chownSync(path, uid, gid);
}

/** Writes a file only its owner can read. */
function writeSecret(path: string, { uid, gid }: Account, content: string | Uint8Array): void {
  writeFileSync(path, content);
  chmodSync(path, 0o600);
  chownSync(path, uid, gid);
}

const CLIENTS = [
  ...['sbatch', 'squeue', 'scancel', 'sinfo', 'scontrol', 'sacct', 'sacctmgr', 'sdiag', 'sshare', 'sprio'],
  'id',
];

/**
 * A folder of clients, and of `id` and `sh`, that become a user before they begin, for those who look for `sbatch` in a
 * PATH.
 */
function writeClients(folder: string, user: LabUser): void {
  const names = [`USER=${user}`, `LOGNAME=${user}`, `HOME=/home/${user}`];
  const become = ['env', ...names, 'setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups', '--'];
  writeStandIns(folder, become, Object.fromEntries(CLIENTS.map((client) => [client, `/usr/bin/${client}`])));
}

/** Slurm takes character devices alone: one more name for what /dev/null is. */
function standInForDevice(file: string): void {
  const { status, stderr } = spawnSync('mknod', [file, 'c', '1', '3'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${file} could not be made: ${stderr}`);
}

/** With owners and modes. */
function copyFolder(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${from} could not be copied: ${stderr}`);
}
