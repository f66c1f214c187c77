import { access, constants, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { withinTime } from '../../src/domain/deadline.ts';
import { CommandFailure } from './command.ts';
import { DEFAULT_PATH } from './local-runner.ts';
import { endGroup, killGroup } from './process-group.ts';
import { makeSocketFolder, SOCKET_NAME } from './socket-folder.ts';

/** A machine reached by ssh, and how. Secrets are named by their files. */
export interface SshTarget {
  /** Host name, address, or alias of the ssh configuration. */
  readonly host: string;
  readonly user?: string | undefined;
  readonly port?: number | undefined;
  readonly identityFile?: string | undefined;
  readonly knownHostsFile?: string | undefined;
  /** In place of the user's own ssh configuration; `none` reads no file. */
  readonly configFile?: string | undefined;
  /** Socket of the shared connection; by default one in a private folder that goes with the adapter. */
  readonly controlPath?: string | undefined;
  /** Socket of an ssh agent. */
  readonly agentSocket?: string | undefined;
  readonly connectTimeoutSeconds: number;
  /** How often a silent connection is probed; after three probes without answer it is lost. */
  readonly keepAliveSeconds: number;
}

/** An open connection. */
export interface Connection {
  readonly process: ReturnType<typeof startSsh>;
}

/** How a target is called in messages. */
export function sshPlace({ user, host }: SshTarget): string {
  return user === undefined ? `ssh ${host}` : `ssh ${user}@${host}`;
}

/**
 * The one connection to a machine. Sessions go over it or not at all: a client that finds it gone must not open one of
 * its own, so that the number of connections stays one and a failure before a session began is known as such.
 */
export class SshMaster {
  private folder: string | null = null;
  private controlPath = '';
  private running: Connection | null = null;
  private opening: Promise<Connection> | null = null;

  constructor(private readonly target: SshTarget) {}

  /**
   * Opens the connection unless it is open. Callers that come meanwhile wait for the same one.
   * @returns the connection, for `drop`
   * @throws CommandFailure `NOT_STARTED`, saying whether the network, the host's key or our authentication failed
   */
  async open(): Promise<Connection> {
    if (this.running) return this.running;
    this.opening ??= this.connect().finally(() => {
      this.opening = null;
    });
    return this.opening;
  }

  /** Gives a connection up that turned out to be lost, unless there is a newer one already. */
  drop(connection: Connection): void {
    if (this.running !== connection) return;
    this.running = null;
    void endGroup(connection.process);
  }

  /**
   * What the account's login shell said where it has ended our session of its own, as that of an account that may not
   * log in does; null where it runs what it is given.
   */
  async refusalOfShell({ process }: Connection): Promise<CommandFailure | null> {
    const ending = await withinTime(process, GRACE_MILLISECONDS);
    return ending && isOfShell(ending.exitCode) ? notLetIn(this.target, ending.stdout) : null;
  }

  /** Arguments of an ssh client that uses the connection, without the remote command. */
  clientArguments(): string[] {
    const own = { ControlMaster: 'no', ProxyCommand: 'false' };
    return [...this.arguments(own), '-T', this.target.host];
  }

  async close(): Promise<void> {
    const { running } = this;
    this.running = null;
    if (running) await endGroup(running.process);
    if (this.folder) await rm(this.folder, { recursive: true, force: true });
    this.folder = null;
  }

  private async socketFolder(): Promise<string> {
    this.folder ??= await makeSocketFolder();
    return this.folder;
  }

  private async connect(): Promise<Connection> {
    this.controlPath = this.target.controlPath ?? join(await this.socketFolder(), SOCKET_NAME);
    // Its session ends when its input does, so that the connection goes with this process however that goes.
    const master = startSsh(this.target, [
      ...this.arguments({ ControlMaster: 'auto' }),
      '-T',
      this.target.host,
      'exec cat',
    ]);
    const hasEnded = new Promise<true>((ended) => {
      for (const event of ['exit', 'error'] as const) master.once(event, () => ended(true));
    });
    const deadline = performance.now() + this.target.connectTimeoutSeconds * 1000 + GRACE_MILLISECONDS;
    while (performance.now() < deadline) {
      if (await Promise.race([hasEnded, sleep(PROBE_MILLISECONDS, false)])) throw await this.refusal(master);
      if (!(await this.isUp(deadline - performance.now()))) continue;
      const connection = { process: master };
      this.running = connection;
      void hasEnded.then(() => {
        if (this.running === connection) this.running = null;
        killGroup(master.pid);
      });
      return connection;
    }
    await endGroup(master);
    throw new CommandFailure('NOT_STARTED', `${sshPlace(this.target)} did not answer in time`);
  }

  /** Whether the shared connection answers, which a socket that something else holds never does. */
  private async isUp(patienceMilliseconds: number): Promise<boolean> {
    const question = startSsh(this.target, ['-O', 'check', ...this.arguments({}), this.target.host]);
    const answer = await withinTime(question, Math.max(0, patienceMilliseconds));
    if (answer === null) await endGroup(question);
    return answer?.exitCode === 0;
  }

  private arguments(own: Readonly<Record<string, string>>): string[] {
    const { user, port, identityFile, knownHostsFile, configFile, connectTimeoutSeconds, keepAliveSeconds } =
      this.target;
    const settings: Record<string, string | number> = {
      BatchMode: 'yes',
      StrictHostKeyChecking: 'yes',
      ForwardAgent: 'no',
      ForwardX11: 'no',
      ClearAllForwardings: 'yes',
      ConnectTimeout: connectTimeoutSeconds,
      ServerAliveInterval: keepAliveSeconds,
      ServerAliveCountMax: 3,
      ControlPath: this.controlPath,
      ...(knownHostsFile === undefined ? {} : { UserKnownHostsFile: knownHostsFile }),
      ...(identityFile === undefined ? {} : { IdentityFile: identityFile, IdentitiesOnly: 'yes' }),
      ...own,
    };
    return [
      ...(configFile === undefined ? [] : ['-F', configFile]),
      ...Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
      ...(user === undefined ? [] : ['-l', user]),
      ...(port === undefined ? [] : ['-p', String(port)]),
    ];
  }

  /**
   * Why a connection ended that never came about. Whoever it left behind may hold its output open, and is not waited
   * for.
   */
  private async refusal(master: Connection['process']): Promise<CommandFailure> {
    const ending = await withinTime(master, GRACE_MILLISECONDS);
    await endGroup(master);
    if (ending && isOfShell(ending.exitCode)) return notLetIn(this.target, ending.stdout || ending.stderr);
    const words = ending?.stderr.trim() || 'ssh ended without a word';
    const place = sshPlace(this.target);
    const why = (await unreadableFile(this.target)) ?? explain(words);
    return new CommandFailure('NOT_STARTED', `${place}${why}: ${words}`);
  }
}

function startSsh({ agentSocket }: SshTarget, words: readonly string[]) {
  const env: Record<string, string> = { PATH: DEFAULT_PATH };
  if (agentSocket !== undefined) env.SSH_AUTH_SOCK = agentSocket;
  return execa('ssh', words, {
    stdin: 'pipe',
    env,
    extendEnv: false,
    reject: false,
    detached: true,
    maxBuffer: WORDS_LIMIT_CHARACTERS,
  });
}

/** ssh says nothing of a file that is not there, but that the other side does not know us, or we not it. */
async function unreadableFile(target: SshTarget): Promise<string | null> {
  for (const name of ['identityFile', 'knownHostsFile'] as const) {
    const file = target[name];
    if (file === undefined) continue;
    const isReadable = await access(file, constants.R_OK).then(
      () => true,
      () => false,
    );
    if (!isReadable) return `: its ${name} ${file} is named by the configuration and cannot be read`;
  }
  return null;
}

/** Whether a session was ended by what ran in it: of all else ssh tells 255, and of signals nothing. */
function isOfShell(exitCode: number | undefined): boolean {
  return exitCode !== undefined && exitCode !== SSH_FAILED;
}

function notLetIn(target: SshTarget, words: string): CommandFailure {
  const said = words.trim().slice(0, LONGEST_WORDS) || 'not a word';
  return new CommandFailure('NOT_STARTED', `${sshPlace(target)}: its login shell lets nothing run: ${said}`);
}

function explain(words: string): string {
  if (/IDENTIFICATION HAS CHANGED|Host key verification failed|No .* host key is known/.test(words)) {
    return ": the host's key is not the one on record; compare it and correct knownHostsFile";
  }
  if (/Permission denied|Too many authentication failures|no mutual signature/i.test(words)) {
    return ': authentication is lost; renew the key or the agent';
  }
  return ' cannot be reached';
}

const SSH_FAILED = 255;
const LONGEST_WORDS = 300;
const PROBE_MILLISECONDS = 50;
const GRACE_MILLISECONDS = 2000;
const WORDS_LIMIT_CHARACTERS = 100_000;
