import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Daemons, listensOn } from './daemons.ts';
import { LAB_USERS } from './users.ts';

/** An ssh server on 127.0.0.1 that lets the lab's users in by key. */
export class LoginNode {
  readonly name = 'login node';
  readonly host = '127.0.0.1';
  readonly daemons: Daemons;
  /** The private key that all users of the lab accept. */
  readonly identityFile: string;
  readonly knownHostsFile: string;
  /** For `ssh -F <file> login`, as alice. */
  readonly configFile: string;

  constructor(
    readonly folder: string,
    readonly port: number,
  ) {
    this.daemons = new Daemons(folder);
    this.identityFile = join(folder, 'id_ed25519');
    this.knownHostsFile = join(folder, 'known_hosts');
    this.configFile = join(folder, 'config');
  }

  async start(): Promise<void> {
    for (const folder of [join(this.folder, 'authorized'), this.programs]) mkdirSync(folder, { recursive: true });
    mkdirSync('/run/sshd', { recursive: true });
    for (const key of [this.hostKey, this.identityFile, this.otherIdentityFile]) {
      if (!existsSync(key)) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'gridcast', '-f', key]);
    }
    this.authorize();
    writeFileSync(join(this.folder, 'sshd_config'), this.serverConfiguration());
    writeFileSync(this.configFile, this.clientConfiguration());
    const [kind, key] = readFileSync(`${this.hostKey}.pub`, 'utf8').split(' ');
    writeFileSync(this.knownHostsFile, `[${this.host}]:${this.port} ${kind} ${key}\n`);
    this.daemons.launch('sshd', ['/usr/sbin/sshd', '-D', '-e', '-f', join(this.folder, 'sshd_config')]);
    await this.daemons.waitUntilReady('sshd', () => listensOn(this.port));
  }

  /** Ends the server; open sessions go with it, because their processes are below it. */
  async stop(): Promise<void> {
    await this.daemons.killWithChildren('sshd');
  }

  /** A key that nobody accepts. */
  get otherIdentityFile(): string {
    return join(this.folder, 'id_unknown');
  }

  /** Lets the users in by their key (again). */
  authorize(): void {
    for (const user of LAB_USERS) copyFileSync(`${this.identityFile}.pub`, join(this.folder, 'authorized', user));
  }

  /** From now on nobody gets in: as when a key is withdrawn. Sessions that are open stay. */
  unauthorize(): void {
    for (const user of LAB_USERS) writeFileSync(join(this.folder, 'authorized', user), '');
  }

  /** Lets `date` tell another time there from now on, by that many seconds: a machine has but one clock. */
  shiftClock(seconds: number): void {
    const file = join(this.programs, 'date');
    const shifted = `#!/bin/sh\nnow=$(/bin/date +%s)\n[ "$*" = +%s ] || exec /bin/date "$@"\necho $((now + ${seconds}))\n`;
    writeFileSync(file, shifted, { mode: 0o755 });
  }

  /** Cuts every open session. */
  endSessions(): void {
    this.daemons.killChildren('sshd');
  }

  /** Programs that sessions find before those of the machine. */
  private get programs(): string {
    return join(this.folder, 'programs');
  }

  private get hostKey(): string {
    return join(this.folder, 'host_ed25519');
  }

  private serverConfiguration(): string {
    return [
      `Port ${this.port}`,
      `ListenAddress ${this.host}`,
      `HostKey ${this.hostKey}`,
      'PidFile none',
      `AuthorizedKeysFile ${join(this.folder, 'authorized')}/%u`,
      'StrictModes no',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'UsePAM no',
      'PermitRootLogin no',
      `AllowUsers ${LAB_USERS.join(' ')}`,
      'AcceptEnv SLURM_CONF',
      `SetEnv PATH=${this.programs}:/usr/local/bin:/usr/bin:/bin`,
      'UseDNS no',
      'PrintMotd no',
      'MaxStartups 100:30:200',
      'MaxSessions 100',
      '',
    ].join('\n');
  }

  private clientConfiguration(): string {
    return [
      'Host login',
      `  HostName ${this.host}`,
      `  Port ${this.port}`,
      '  User alice',
      `  IdentityFile ${this.identityFile}`,
      '  IdentitiesOnly yes',
      `  UserKnownHostsFile ${this.knownHostsFile}`,
      '  StrictHostKeyChecking yes',
      '  BatchMode yes',
      '  ConnectTimeout 5',
      '  SendEnv SLURM_CONF',
      '',
    ].join('\n');
  }
}
