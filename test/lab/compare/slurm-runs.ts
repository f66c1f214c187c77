import { readFileSync } from 'node:fs';
import type { SlurmCluster } from '../slurm/cluster.ts';
import { type AccountedRun, keyIn } from './accounted-run.ts';

const FIELDS = 'JobID,JobName%120,Submit,State,AllocCPUS,Start,End,ExitCode';

/**
 * Every run of a user's jobs that a cluster knows: by sacct where there is slurmdbd, otherwise by jobcomp and the
 * queue.
 */
export function slurmRuns(cluster: SlurmCluster, user: string): AccountedRun[] {
  return cluster.spec.accounting ? runsOfAccounting(cluster, user) : runsOfCompletions(cluster, user);
}

function runsOfAccounting(cluster: SlurmCluster, user: string): AccountedRun[] {
  const which = ['--allocations', '--duplicates', `--user=${user}`, '--starttime=now-1day'];
  const words = ['sacct', ...which, '--noheader', '--parsable2', `--format=${FIELDS}`];
  const lines = cluster
    .mustRun(['env', 'SLURM_TIME_FORMAT=%s', ...words])
    .trim()
    .split('\n')
    .filter(Boolean);
  const runs = lines.map((line) => {
    const fields = line.split('|');
    const [submit, state = '', processors, start, end, exit] = fields.slice(-6);
    const [id = ''] = fields;
    return runOf({ id, name: fields.slice(1, -6).join('|'), submit, state, processors, start, end, exit });
  });
  return runs.map((run, n) => ({ ...run, putBack: run.putBack || hasLaterRun(run, runs.slice(n + 1)) }));
}

/** A requeued run without a word of its own is followed by another line of the same job. */
function hasLaterRun(run: AccountedRun, later: readonly AccountedRun[]): boolean {
  return later.some(({ nativeId, key }) => nativeId === run.nativeId && key === run.key);
}

function runsOfCompletions(cluster: SlurmCluster, user: string): AccountedRun[] {
  const ended = readFileSync(cluster.files.jobCompletions, 'utf8')
    .split('\n')
    .filter((line) => line.includes(` UserId=${user}(`))
    .map((line) => {
      const word = (name: string) => new RegExp(` ${name}=(\\S*)`).exec(` ${line}`)?.[1] ?? '';
      const isAllocated = word('NodeList') !== '(null)' && word('NodeList') !== '';
      return runOf({
        id: word('JobId'),
        name: word('Name'),
        submit: epochOf(word('SubmitTime')),
        // A run that has ended and is called pending is one after which the job was put back.
        state: word('JobState').replace(/^PENDING$/, 'REQUEUED'),
        processors: word('ProcCnt'),
        start: isAllocated ? epochOf(word('StartTime')) : '',
        end: epochOf(word('EndTime')),
        exit: /ExitCode=(\d+:\d+) *$/.exec(line)?.[1],
      });
    });
  return ended.map((run, n) => ({ ...run, putBack: hasLaterRun(run, ended.slice(n + 1)) }));
}

interface Words {
  readonly id: string;
  readonly name: string;
  readonly submit: string | undefined;
  readonly state: string;
  readonly processors: string | undefined;
  readonly start: string | undefined;
  readonly end: string | undefined;
  readonly exit: string | undefined;
}

function runOf({ id, name, submit, state, processors, start, end, exit }: Words): AccountedRun {
  const word = state.split(' ')[0] ?? '';
  const startAt = momentOf(start);
  const ended = !['PENDING', 'RUNNING', 'SUSPENDED', 'COMPLETING'].includes(word);
  const outcome = ended ? (OUTCOMES[word] ?? word) : null;
  return {
    nativeId: id,
    key: keyIn(name),
    state: ended ? 'ENDED' : word === 'PENDING' ? 'WAITING' : 'RUNNING',
    putBack: word === 'REQUEUED',
    outcome,
    processors: Number(processors),
    submittedAt: momentOf(submit),
    startAt,
    endAt: ended ? momentOf(end) : null,
    exitCode: outcome === 'COMPLETED' || outcome === 'FAILED' ? shellStatus(exit) : null,
  };
}

const OUTCOMES: Readonly<Record<string, string>> = { BOOT_FAIL: 'NODE_FAIL', DEADLINE: 'CANCELLED' };

/** A signal adds 128 to none; signals of real time are how Slurm tells errors of its own. */
function shellStatus(exit = ''): number | null {
  const [status = Number.NaN, signal = 0] = exit.split(':').map(Number);
  if (Number.isNaN(status) || signal >= 32) return null;
  return signal === 0 ? status : 128 + signal;
}

function momentOf(epoch: string | undefined): number | null {
  return epoch !== undefined && /^\d+$/.test(epoch) ? Number(epoch) : null;
}

/** jobcomp writes local times of this machine. */
function epochOf(localTime: string): string {
  const milliseconds = Date.parse(localTime);
  return Number.isNaN(milliseconds) ? '' : String(milliseconds / 1000);
}
