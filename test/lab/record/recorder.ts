import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNTING_FIELDS } from '../../../adapters/slurm/parse-accounting.ts';
import { QUEUE_FIELDS } from '../../../adapters/slurm/parse-listing.ts';
import { ENDED_STATES } from '../../../adapters/slurm/slurm-job.ts';
import type { SlurmCluster } from '../slurm/cluster.ts';
import type { LabUser } from '../users.ts';

/** Stands between the fields of what is recorded; the adapter draws another one for each question. */
const MARK = '~mark~';
const IN_EPOCH_SECONDS = ['env', 'SLURM_TIME_FORMAT=%s'];
const LIVE_STATES = 'PENDING,CONFIGURING,RUNNING,SUSPENDED,COMPLETING,REQUEUED';

/** Asks a cluster as the adapter does, and writes its answers down as they come. */
export class Recorder {
  private readonly sinceAt = Math.floor(Date.now() / 1000) - 60;

  constructor(
    private readonly cluster: SlurmCluster,
    private readonly folder: string,
    private readonly say: (what: string) => void,
  ) {}

  /** @param which jobs, in squeue's own options */
  queue(file: string, which: readonly string[] = ['--all', `--states=${LIVE_STATES}`]): void {
    const format = QUEUE_FIELDS.map((field) => `${field}:${MARK}`).join(',');
    const options = ['--noheader', '--noconvert', '--array', ...which, `--Format=${format}`];
    this.write(file, this.cluster.mustRun([...IN_EPOCH_SECONDS, 'squeue', ...options]));
  }

  accounting(file: string, { withSteps = false } = {}): void {
    this.write(file, this.sacct(withSteps));
  }

  /** Waits until accounting knows so many runs that have ended, of each job a row. */
  async untilAccounted(runs: number): Promise<void> {
    await this.until(`${runs} runs are accounted`, () => this.sacct(false).split(`${MARK}\n`).length > runs);
  }

  /** What slurmrestd answers. @param path below the interface's version */
  async rest(file: string, part: 'slurm' | 'slurmdb', path: string): Promise<void> {
    const { cluster } = this;
    const headers = { 'X-SLURM-USER-NAME': 'alice', 'X-SLURM-USER-TOKEN': cluster.token('alice') };
    const response = await fetch(`${cluster.restUrl}/${part}/v0.0.38${path}`, { headers });
    const { meta, errors, ...answer } = (await response.json()) as Record<string, unknown>;
    this.write(file, `${JSON.stringify({ meta, errors, ...answer }, null, 1)}\n`);
  }

  /** All runs that have ended, over slurmrestd. */
  endedOverRest(file: string, { withSteps = false } = {}): Promise<void> {
    const wanted = new URLSearchParams({
      ...{ start_time: `uts${this.sinceAt}`, state: ENDED_STATES.join(','), end_time: `uts${this.sinceAt + 86_400}` },
      ...(withSteps ? {} : { skip_steps: 'true' }),
    });
    return this.rest(file, 'slurmdb', `/jobs?${wanted}`);
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
    this.say(`${file}: ${text.length} characters`);
  }

  /** Submits a script and returns its id. */
  submit(options: readonly string[], script: string, user: LabUser = 'alice'): string {
    const argv = ['sbatch', '--parsable', '--output=/dev/null', '--chdir=/tmp', ...options];
    const { status, stdout, stderr } = this.cluster.run(argv, { user, input: `#!/bin/bash\n${script}\n` });
    if (status !== 0) throw new Error(`${argv.join(' ')}: ${stderr}`);
    return stdout.trim();
  }

  /** Waits for a job's state as scontrol shows it. */
  async untilIn(state: RegExp, id: string): Promise<void> {
    await this.until(`job ${id} is ${state.source}`, () => {
      const { stdout } = this.cluster.run(['scontrol', 'show', 'job', id]);
      return state.test(/JobState=(\w+)/.exec(stdout)?.[1] ?? '');
    });
  }

  private async until(what: string, condition: () => boolean): Promise<void> {
    const giveUpAt = performance.now() + PATIENCE_MILLISECONDS;
    while (!condition()) {
      if (performance.now() > giveUpAt) throw new Error(`not within ${PATIENCE_MILLISECONDS} ms: ${what}`);
      await sleep(200);
    }
  }

  private sacct(withSteps: boolean): string {
    return this.cluster.mustRun([
      ...[...IN_EPOCH_SECONDS, 'sacct', '--allusers', '--duplicates', '--noheader', '--noconvert'],
      ...(withSteps ? [] : ['--allocations']),
      ...['--parsable', `--delimiter=${MARK}`, `--format=${ACCOUNTING_FIELDS.join(',')}`],
      ...[`--state=${ENDED_STATES.join(',')}`, `--starttime=uts${this.sinceAt}`, '--endtime=now+60seconds'],
    ]);
  }
}

const PATIENCE_MILLISECONDS = 180_000;
