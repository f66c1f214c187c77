import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Daemons, killTree } from '../daemons.ts';
import { Namespace } from '../namespace.ts';
import { writeStandIns } from '../stand-ins.ts';
import { accountOf, type LabUser } from '../users.ts';
import {
  brothersSql,
  DATABASE_PORT,
  type OarSpec,
  oarConfiguration,
  oarFiles,
  resourcesSql,
  SERVER_PORT,
  WALLTIME_RULE_SQL,
} from './configuration.ts';

const CLIENTS = ['oarsub', 'oarstat', 'oardel', 'oarnodes', 'oarhold', 'oarresume'];
const HOST = 'oarhost';

/** What a command said. */
export interface CommandResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A running OAR site: PostgreSQL, the Almighty, and one ssh server that plays every node. They use fixed ports and the
 * machine's own /etc/oar, so the site lives in a namespace of its own with copies of its own; commands enter it.
 */
export class OarServer {
  readonly daemons: Daemons;
  readonly files: ReturnType<typeof oarFiles>;
  private readonly namespace: Namespace;

  constructor(
    readonly folder: string,
    readonly spec: OarSpec,
  ) {
    this.daemons = new Daemons(folder);
    this.files = oarFiles(folder);
    const nodes = Array.from({ length: spec.nodes }, (_, index) => [`node${index + 1}`, `127.0.0.${11 + index}`]);
    this.namespace = new Namespace(this.daemons, HOST, Object.fromEntries(nodes), {
      '/etc/oar': this.files.etc,
      '/var/lib/oar': this.files.home,
      '/run': this.files.run,
    });
  }

  get name(): string {
    return this.spec.name;
  }

  get processors(): number {
    return this.spec.nodes * this.spec.processorsPerNode;
  }

  /** A folder that jobs run in and leave their output in. */
  get workFolder(): string {
    return this.files.work;
  }

  /** What a client of this site has in its environment: a PATH of clients that enter the site as a user of the lab. */
  clientEnvironment(user: LabUser): Readonly<Record<string, string>> {
    return { PATH: `${this.files.clients}/${user}:/usr/bin:/bin` };
  }

  /** Writes everything down and starts every daemon; returns when the nodes take jobs. */
  async start(): Promise<void> {
    this.makeFolders();
    await this.namespace.start();
    await this.startDatabase();
    this.mustRun(['oar-database', '--create', '--db-admin-user=postgres', '--db-admin-pass=postgres']);
    this.sql(resourcesSql(this.spec));
    this.sql(WALLTIME_RULE_SQL);
    this.launch(NODES, ['/usr/sbin/sshd', '-D', '-f', '/etc/oar/sshd_config', '-o', 'PidFile=none']);
    await this.startAlmighty();
    this.writeClients();
  }

  /** Stops every daemon by its pid and ends the jobs. */
  async stop(): Promise<void> {
    for (const name of [ALMIGHTY, NODES, DATABASE]) await this.daemons.kill(name);
    await this.namespace.stop();
  }

  /** Starts the Almighty, OAR's server, and waits until it listens. */
  async startAlmighty(): Promise<void> {
    this.launch(ALMIGHTY, ['setpriv', '--reuid=oar', '--regid=oar', '--init-groups', '/usr/sbin/Almighty']);
    const probe = ['bash', '-c', `exec 3<>/dev/tcp/127.0.0.1/${SERVER_PORT}`];
    await this.daemons.waitUntilReady(ALMIGHTY, () => this.enter(probe).status === 0);
  }

  /** Ends the Almighty at once. Its children end with it. */
  async killAlmighty(): Promise<void> {
    const almighty = this.daemons.processOf(ALMIGHTY);
    if (almighty !== null) killTree(almighty);
    await this.daemons.kill(ALMIGHTY);
  }

  /** Starts the database and waits until it answers. */
  async startDatabase(): Promise<void> {
    const settings = { listen_addresses: '127.0.0.1', port: DATABASE_PORT, unix_socket_directories: '', fsync: 'off' };
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    this.launch(DATABASE, [...AS_POSTGRES, `${postgresPrograms()}/postgres`, '-D', this.files.database, ...options]);
    await this.daemons.waitUntilReady(DATABASE, () => this.psql('SELECT 1', 'postgres').status === 0);
  }

  /** The database accepts connections and answers none. */
  hangDatabase(): void {
    this.daemons.signal(DATABASE, 'SIGSTOP');
  }

  resumeDatabase(): void {
    this.daemons.signal(DATABASE, 'SIGCONT');
  }

  killDatabase(): Promise<void> {
    return this.daemons.kill(DATABASE);
  }

  /** Runs a client command of this site, as root or as a user of the lab; the command's failure is in the answer. */
  run(argv: readonly string[], { user }: { user?: LabUser } = {}): CommandResult {
    return this.enter(user ? [...become(user), ...argv] : argv);
  }

  /** Runs SQL on the site's database. @throws Error in the database's words */
  sql(statement: string): string {
    return succeeded(this.psql(statement, 'oar'));
  }

  /** Fills the queue with that many jobs of bob's, all held. `oarsub` would take a quarter of a second for each. */
  fillQueue(jobs: number): void {
    const { stdout } = this.run(['oarsub', '--hold', '-d', this.files.work, '/bin/true'], { user: 'bob' });
    const [, first = ''] = /^OAR_JOB_ID=(\d+)$/m.exec(stdout) ?? [];
    this.sql(brothersSql(first, jobs - 1));
  }

  private psql(statement: string, database: string): CommandResult {
    const address = `postgresql://postgres:postgres@127.0.0.1:${DATABASE_PORT}/${database}?connect_timeout=5`;
    return this.enter([`${postgresPrograms()}/psql`, '-At', '-c', statement, address]);
  }

  private makeFolders(): void {
    const { etc, home, run, database, work } = this.files;
    const oar = accountOf('oar');
    const postgres = accountOf('postgres');
    if (!oar || !postgres) throw new Error('the packages of OAR and PostgreSQL make the users oar and postgres');
    cpSync('/etc/oar', etc, { recursive: true });
    writeFileSync(join(etc, 'oar.conf'), oarConfiguration(HOST));
    succeeded(spawnSync('cp', ['-a', '/var/lib/oar', home], { encoding: 'utf8' }));
    for (const folder of [join(run, 'oar'), join(run, 'sshd'), work, database]) mkdirSync(folder, { recursive: true });
    for (const file of [join(etc, 'oar.conf'), join(run, 'oar')]) chownSync(file, oar.uid, oar.gid);
    chmodSync(join(etc, 'oar.conf'), 0o600);
    chmodSync(work, 0o1777);
    chownSync(database, postgres.uid, postgres.gid);
    const password = join(this.folder, 'password');
    writeFileSync(password, 'postgres\n');
    const options = [
      '-D',
      database,
      '-A',
      'md5',
      '-U',
      'postgres',
      `--pwfile=${password}`,
      '--no-sync',
      '--locale=C.UTF-8',
    ];
    const [command = '', ...words] = [...AS_POSTGRES, `${postgresPrograms()}/initdb`, ...options];
    succeeded(spawnSync(command, words, { encoding: 'utf8', cwd: '/', env: ENVIRONMENT }));
  }

  /** A folder of clients for each user, for those who look for `oarsub` in a PATH. */
  private writeClients(): void {
    for (const user of ['alice', 'bob', 'carol'] as const) {
      const programs = Object.fromEntries(CLIENTS.map((client) => [client, `/usr/bin/${client}`]));
      writeStandIns(join(this.files.clients, user), [...this.namespace.prefix, ...become(user)], programs);
    }
  }

  private mustRun(argv: readonly string[]): string {
    return succeeded(this.enter(argv));
  }

  private enter(argv: readonly string[]): CommandResult {
    const [command = '', ...words] = [...this.namespace.prefix, ...argv];
    return spawnSync(command, words, {
      encoding: 'utf8',
      cwd: this.files.work,
      maxBuffer: 1 << 28,
      env: { ...ENVIRONMENT, PGPASSWORD: 'postgres' },
    });
  }

  private launch(name: string, argv: readonly string[]): void {
    this.daemons.launch(name, [...this.namespace.prefix, ...argv]);
  }
}

const DATABASE = 'postgres';
const NODES = 'sshd';
const ALMIGHTY = 'almighty';
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' };
const AS_POSTGRES = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', '--'];

/** Words that become a user, whose name and home OAR's programs take from the environment. */
function become(user: LabUser): string[] {
  const names = [`USER=${user}`, `LOGNAME=${user}`, `HOME=/home/${user}`, 'SHELL=/bin/bash'];
  return ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups', '--', 'env', ...names];
}

function postgresPrograms(): string {
  const [newest] = readdirSync('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a));
  return `/usr/lib/postgresql/${newest}/bin`;
}

function succeeded({ status, stdout, stderr }: CommandResult): string {
  if (status === 0) return stdout;
  throw new Error(`OAR could not be set up: ${stderr || stdout}`);
}
