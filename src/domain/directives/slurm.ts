import { quoted } from '../text.ts';
import { SLURM_UNITS, slurmSeconds, wholeOf } from './amounts.ts';
import type { DirectiveTable, DirectiveWishes, OptionReading } from './directive.ts';
import {
  amount,
  asEver,
  asks,
  cannot,
  count,
  flag,
  mailAddress,
  mailEvents,
  named,
  perhapsValued,
  REMEDIES,
  told,
  untyped,
  valued,
  variables,
  walltime,
} from './readings.ts';

const MAILS: Readonly<Record<string, DirectiveWishes['mailEvents']>> = {
  NONE: [],
  BEGIN: ['BEGIN'],
  END: ['END'],
  FAIL: ['FAIL'],
  ALL: ['BEGIN', 'END', 'FAIL'],
};
/** Options that no request of Gridcast says the same as. */
const VALUED =
  '--mem-per-gpu --cpus-per-gpu --gpus-per-socket --ntasks-per-core --ntasks-per-socket --ntasks-per-gpu --mincpus --sockets-per-node --cores-per-socket --threads-per-core -B --extra-node-info --hint -m --distribution --signal --switches --time-min --wait-all-nodes --cpu-freq --network --acctg-freq -S --core-spec --thread-spec --cluster-constraint --container --bb --bbf --gpu-bind --gpu-freq --mem-bind --export-file --gid --uid --wckey --power --priority --delay-boot --prefer --gres-flags --mcs-label --wrap --tmp-per-node --batch';
const FLAGS =
  '-O --overcommit -s --oversubscribe --share --contiguous --ignore-pbs --parsable -Q --quiet -v --verbose -W --wait --spread-job --use-min-nodes --reboot --test-only --usage -h --help -V --version --kill-on-invalid-dep-never -I --immediate';
const PERHAPS = '--kill-on-invalid-dep --no-kill -k --profile --propagate';

/** What the options of sbatch(1) mean. */
export const SLURM: DirectiveTable = {
  system: 'SLURM',
  prefix: '#SBATCH',
  program: 'sbatch',
  stopsAtCommand: true,
  oneOptionPerLine: false,
  options: [
    valued('-J --job-name', told('name', 'name')),
    valued('-p --partition', named('queue', 'partition')),
    valued('-t --time', walltime(slurmSeconds)),
    valued('-n --ntasks', count('tasks', 'tasks')),
    valued('-N --nodes', count('nodes', 'nodes')),
    valued('-c --cpus-per-task', count('processorsPerTask', 'processors for each task')),
    valued('--ntasks-per-node', count('tasksPerNode', 'tasks on each node')),
    valued('--mem', amount('memoryPerNodeMebibytes', 'memory on each node', SLURM_UNITS)),
    valued('--mem-per-cpu', amount('memoryPerProcessorMebibytes', 'memory for each processor', SLURM_UNITS)),
    valued('--tmp', amount('tmpPerNodeMebibytes', 'local disk space on each node', SLURM_UNITS)),
    valued('--gres', genericResources),
    valued('-G --gpus', gpus('gpus', 'in all')),
    valued('--gpus-per-node', gpus('gpusPerNode', 'on each node')),
    valued('--gpus-per-task', gpus('gpusPerTask', 'for each task')),
    valued('-C --constraint', features),
    perhapsValued('--exclusive', (value) =>
      value === ''
        ? [asks('exclusive', true, 'no other job on its nodes')]
        : [cannot(`nodes of its own by ${quoted(value)}`, 'Gridcast has nodes of its own for a job alone')],
    ),
    valued('-L --licenses', licences),
    valued('-A --account', named('account', 'account')),
    valued('-q --qos', named('qos', 'QOS')),
    valued('--reservation', named('siteReservation', "the site's reservation")),
    valued('--export', exported),
    valued('-D --chdir --workdir', told('workFolder', 'work folder')),
    valued('--mail-user', mailAddress),
    valued('--mail-type', mailEvents(MAILS, /,/)),
    ...others(),
  ],
};

/** GPUs by their count, or by kind and count. */
function gpus(of: 'gpus' | 'gpusPerNode' | 'gpusPerTask', where: string): (value: string) => OptionReading[] {
  return (value) => {
    const [, kind, digits = ''] = /^(?:([A-Za-z][\w.-]*):)?(\d+)$/.exec(value) ?? [];
    const number = wholeOf(digits);
    if (number === null) return [cannot('GPUs', `${quoted(value)} is no kind and number of GPUs`)];
    const counted = asks(of, number, `${number} GPUs ${where}`);
    return kind === undefined ? [counted] : [counted, asks('gpuKind', kind, `GPUs of the kind ${quoted(kind)}`)];
  };
}

function genericResources(value: string): OptionReading[] {
  return value.split(',').flatMap((resource) => {
    const [, rest] = /^gpu(?::(.*))?$/.exec(resource) ?? [];
    if (!/^gpu(?::|$)/.test(resource)) {
      return [cannot(`generic resource ${quoted(resource)}`, 'of generic resources Gridcast has GPUs alone')];
    }
    const isKind = rest !== undefined && !/(?:^|:)\d+$/.test(rest);
    return gpus('gpusPerNode', 'on each node')(isKind ? `${rest}:1` : (rest ?? '1'));
  });
}

function features(value: string): OptionReading[] {
  const names = value.split('&');
  if (names.every((name) => /^[\w.-]+$/.test(name)))
    return [asks('constraints', names, `nodes with ${names.join(' and ')}`)];
  return [cannot(`nodes with ${quoted(value)}`, 'Gridcast takes features that each node has, not a choice or a count')];
}

function licences(value: string): OptionReading[] {
  const asked = value.split(',').map((one) => {
    const [, name = '', digits = '1'] = /^([\w.@-]+)(?::(\d+))?$/.exec(one) ?? [];
    return { name, count: wholeOf(digits) ?? 0 };
  });
  const isPlain = asked.every(({ name, count: number }) => name !== '' && number > 0);
  if (!isPlain) return [cannot(`licences ${quoted(value)}`, 'they are written NAME:COUNT')];
  return [asks('licences', asked, `licences ${quoted(value)}`)];
}

function exported(value: string): OptionReading[] {
  if (value === 'NONE' || value === 'NIL')
    return asEver('none of the variables where it is submitted')(value) as OptionReading[];
  return variables(value);
}

function others() {
  return [
    valued('-o --output', untyped('where its output goes', REMEDIES.output)),
    valued('-e --error', untyped('where its errors go', REMEDIES.output)),
    valued('-i --input', untyped('what it reads')),
    valued('--open-mode', untyped('how its output is opened', REMEDIES.output)),
    valued('-a --array', untyped('an array of tasks', REMEDIES.array)),
    valued('-d --dependency', untyped('comes after other jobs', REMEDIES.after)),
    valued('-b --begin', untyped('not before a moment', REMEDIES.when)),
    valued('--deadline', untyped('is over by a moment', 'state deadlineAt or finishBy')),
    valued('-w --nodelist', untyped('on nodes by name', REMEDIES.where)),
    valued('-x --exclude', untyped('not on nodes by name', REMEDIES.where)),
    valued('-F --nodefile', untyped('on nodes by name', REMEDIES.where)),
    valued('-M --clusters', untyped('on a cluster by name', 'state siteIds')),
    valued('--comment', untyped('a comment', 'Gridcast keeps its key there')),
    ...'--requeue --no-requeue'.split(' ').map((name) => flag(name, untyped('whether it is run again'))),
    flag('-H --hold', untyped('is held', REMEDIES.hold)),
    perhapsValued('--get-user-env', asEver("its owner's environment")),
    perhapsValued('--nice', untyped('a lower priority')),
    ...VALUED.split(' ').map((name) => valued(name, untyped(name.replace(/^-+/, '')))),
    ...FLAGS.split(' ').map((name) => flag(name, untyped(name.replace(/^-+/, '')))),
    ...PERHAPS.split(' ').map((name) => perhapsValued(name, untyped(name.replace(/^-+/, '')))),
  ];
}
