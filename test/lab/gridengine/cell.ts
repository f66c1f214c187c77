import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Daemons, killTree, processesNamed } from '../daemons.ts';
import { Namespace } from '../namespace.ts';
import { writeStandIns } from '../stand-ins.ts';
import type { LabUser } from '../users.ts';
import {
  bootstrap,
  type GridEngineSpec,
  globalConfiguration,
  gridEngineFiles,
  hostConfiguration,
  parallelEnvironments,
  queueConfigurations,
  schedulerConfiguration,
} from './configuration.ts';

const PROGRAMS = '/usr/lib/gridengine';
const CLIENTS = ['qsub', 'qstat', 'qhost', 'qconf', 'qdel', 'qacct', 'qmod', 'qhold', 'qrls', 'qrstat'];

/** What a command said. */
export interface CommandResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A running Grid Engine cell of one host. Its daemons listen everywhere and refuse a host whose address has another
 * name, so the cell lives in a namespace of its own; commands enter it.
 */
export class GridEngineCell {
  readonly daemons: Daemons;
  readonly files: ReturnType<typeof gridEngineFiles>;
  private readonly namespace: Namespace;

  constructor(
    readonly folder: string,
    readonly spec: GridEngineSpec,
    /** The first of the groups that no other cell of this machine has. */
    private readonly firstGroup: number,
  ) {
    this.daemons = new Daemons(folder);
    this.files = gridEngineFiles(folder);
    this.namespace = new Namespace(this.daemons, spec.name);
  }

  get name(): string {
    return this.spec.name;
  }

  /**
   * What a client of this cell has in its environment. Its PATH finds clients that enter the cell as a user of the lab.
   */
  clientEnvironment(user: LabUser): Readonly<Record<string, string>> {
    return { ...this.environment, PATH: `${this.files.clients}/${user}:/usr/bin:/bin` };
  }

  /** Writes everything down and starts both daemons; returns when the host takes jobs. */
  async start(): Promise<void> {
    this.makeFolders();
    await this.namespace.start();
    this.spool();
    await this.startMaster();
    this.configure();
    await this.startExecution();
    this.writeClients();
  }

  /** Stops both daemons by their pids and ends the jobs. */
  async stop(): Promise<void> {
    await this.daemons.kill(EXECUTION);
    await this.daemons.kill(MASTER);
    await this.namespace.stop();
  }

  /** Starts the master and waits until it answers. */
  async startMaster(): Promise<void> {
    this.launch(MASTER, '/usr/sbin/sge_qmaster');
    await this.daemons.waitUntilReady(MASTER, () => this.run(['qconf', '-sh']).status === 0);
  }

  /** Ends the master at once. */
  killMaster(): Promise<void> {
    return this.daemons.kill(MASTER);
  }

  /** The master accepts connections and answers none. */
  hangMaster(): void {
    this.daemons.signal(MASTER, 'SIGSTOP');
  }

  resumeMaster(): void {
    this.daemons.signal(MASTER, 'SIGCONT');
  }

  /** Starts the execution host and waits until it takes jobs. */
  async startExecution(): Promise<void> {
    this.launch(EXECUTION, '/usr/sbin/sge_execd');
    const isReady = () => /^\S+ +lx-amd64/m.test(this.run(['qhost', '-h', this.name]).stdout);
    await this.daemons.waitUntilReady(EXECUTION, isReady);
  }

  /** As if the execution host's power went: its daemon and everything it ran are gone at once. */
  async crashExecution(): Promise<void> {
    await this.daemons.kill(EXECUTION);
    for (const pid of processesNamed('sge_shepherd', (pid) => this.namespace.holds(pid))) killTree(pid);
  }

  /** Runs a client command of this cell, as root or as a user of the lab; the command's failure is in the answer. */
  run(argv: readonly string[], { user, input }: { user?: LabUser; input?: string } = {}): CommandResult {
    const [client = '', ...rest] = argv;
    const [command = '', ...words] = [...this.entry(user ?? null), `${PROGRAMS}/${client}`, ...rest];
    const { status, stdout, stderr } = spawnSync(command, words, {
      encoding: 'utf8',
      cwd: '/tmp',
      maxBuffer: 1 << 28,
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', ...this.environment },
      ...(input !== undefined && { input }),
    });
    return { status, stdout, stderr };
  }

  private get environment(): Readonly<Record<string, string>> {
    return {
      SGE_ROOT: this.files.root,
      SGE_CELL: 'default',
      SGE_QMASTER_PORT: '6444',
      SGE_EXECD_PORT: '6445',
      SGE_CLUSTER_NAME: this.name,
    };
  }

  /** Words that enter the cell, and become a user who is not root. */
  private entry(user: string | null): readonly string[] {
    if (user === null) return this.namespace.prefix;
    const become = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups', '--'];
    return [...this.namespace.prefix, ...become];
  }

  private makeFolders(): void {
    const { root, common, masterSpool, execSpool, configuration, clients } = this.files;
    for (const folder of [common, join(masterSpool, 'job_scripts'), execSpool, configuration, clients]) {
      mkdirSync(folder, { recursive: true });
    }
    for (const kind of ['bin', 'lib', 'utilbin']) {
      mkdirSync(join(root, kind), { recursive: true });
      symlinkSync(PROGRAMS, join(root, kind, 'lx-amd64'));
    }
    symlinkSync('/usr/share/gridengine/util', join(root, 'util'));
  }

  /** The database of classic spooling, as an installation makes it. */
  private spool(): void {
    const { root, common, masterSpool } = this.files;
    writeFileSync(join(common, 'bootstrap'), bootstrap(this.files));
    for (const file of ['act_qmaster', 'cluster_name']) writeFileSync(join(common, file), `${this.name}\n`);
    const global = this.write('global', globalConfiguration(this.files, this.firstGroup));
    mustSucceed(spawnSync('chown', ['-R', 'sgeadmin:', root, join(this.folder, 'spool')], { encoding: 'utf8' }));
    const asAdmin = (...argv: string[]) => {
      const [command = '', ...words] = [...this.entry('sgeadmin'), ...argv];
      mustSucceed(spawnSync(command, words, { encoding: 'utf8', env: { PATH: '/usr/bin:/bin', ...this.environment } }));
    };
    asAdmin(`${PROGRAMS}/spoolinit`, 'classic', 'libspoolc', `${common};${masterSpool}`, 'init');
    asAdmin(`${PROGRAMS}/spooldefaults`, 'configuration', global);
    for (const [kind, folder] of [
      ['complexes', 'centry'],
      ['usersets', 'usersets'],
    ] as const) {
      asAdmin(`${PROGRAMS}/spooldefaults`, kind, `/usr/share/gridengine/util/resources/${folder}`);
    }
    asAdmin(`${PROGRAMS}/spooldefaults`, 'managers', 'sgeadmin', 'root');
  }

  private configure(): void {
    const q = (...words: string[]) => mustSucceed(this.run(['qconf', ...words]));
    q('-as', this.name);
    q('-Msconf', this.write('scheduler', schedulerConfiguration(q('-ssconf'))));
    q('-Ae', this.write('host', hostConfiguration(this.spec)));
    for (const text of parallelEnvironments()) q('-Ap', this.write('environment', text));
    for (const text of queueConfigurations(q('-sq'), this.spec)) q('-Aq', this.write('queue', text));
  }

  private write(name: string, text: string): string {
    const file = join(this.files.configuration, name);
    writeFileSync(file, text);
    return file;
  }

  /** A folder of clients for each user, for those who look for `qsub` in a PATH. */
  private writeClients(): void {
    for (const user of ['alice', 'bob', 'carol'] as const) {
      const programs = Object.fromEntries(CLIENTS.map((client) => [client, `${PROGRAMS}/${client}`]));
      const names = [`USER=${user}`, `LOGNAME=${user}`, `HOME=/home/${user}`];
      writeStandIns(join(this.files.clients, user), ['env', ...names, ...this.entry(user)], programs);
    }
  }

  private launch(name: string, program: string): void {
    // SGE_ND keeps a daemon in the foreground.
    this.daemons.launch(name, [...this.namespace.prefix, program], {
      environment: { ...this.environment, SGE_ND: '1' },
    });
  }
}

const MASTER = 'qmaster';
const EXECUTION = 'execd';

function mustSucceed({ status, stdout, stderr }: CommandResult): string {
  if (status === 0) return stdout;
  throw new Error(`Grid Engine could not be set up: ${stderr || stdout}`);
}
