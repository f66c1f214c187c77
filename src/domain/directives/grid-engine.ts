import { quoted } from '../text.ts';
import { clockSeconds, GRID_ENGINE_UNITS, wholeOf } from './amounts.ts';
import type { DirectiveTable, OptionReading } from './directive.ts';
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
  pair,
  REMEDIES,
  told,
  untyped,
  valued,
  variables,
  walltime,
} from './readings.ts';

/** Options that no request of Gridcast says the same as. */
const VALUED =
  '-ac -b -binding -c -ckpt -dc -display -js -jsv -masterq -now -p -pty -r -rsv -sc -shell -sync -u -@ -mods -clearp -adds';
const FLAGS = '-notify -noshell -nostdin -verify -help -inherit';

/** What the options of Grid Engine's qsub(1) mean. It reads them on every line of a script. */
export const GRID_ENGINE: DirectiveTable = {
  system: 'GRID_ENGINE',
  prefix: '#$',
  program: 'qsub',
  stopsAtCommand: false,
  oneOptionPerLine: false,
  options: [
    valued('-N', told('name', 'name')),
    valued('-q', named('queue', 'queue')),
    valued('-l', (value) => value.split(',').flatMap(complexOf)),
    pair('-pe', parallelEnvironment),
    valued('-A', named('account', 'account')),
    valued('-P', named('account', 'project')),
    valued('-ar', named('siteReservation', 'advance reservation')),
    valued('-M', mailAddress),
    valued('-m', mailEvents({ A: ['FAIL'], B: ['BEGIN'], E: ['END'], N: [] }, /,|(?:)/)),
    valued('-v', variables),
    valued('-wd', told('workFolder', 'work folder')),
    flag('-cwd', untyped('works where it is submitted', 'Gridcast submits from elsewhere: state workFolder')),
    flag('-V', untyped('the environment where it is submitted', 'Gridcast does not know it: state its variables')),
    valued('-o', untyped('where its output goes', REMEDIES.output)),
    valued('-e', untyped('where its errors go', REMEDIES.output)),
    valued('-j', untyped('joins output and errors', REMEDIES.output)),
    valued('-i', untyped('what it reads')),
    valued('-t', untyped('an array of tasks', REMEDIES.array)),
    valued('-tc', untyped('how many tasks run at once', REMEDIES.array)),
    ...'-hold_jid -hold_jid_ad'
      .split(' ')
      .map((name) => valued(name, untyped('comes after other jobs', REMEDIES.after))),
    valued('-a', untyped('not before a moment', REMEDIES.when)),
    valued('-dl', untyped('is over by a moment', 'state deadlineAt or finishBy')),
    flag('-h', untyped('is held', REMEDIES.hold)),
    valued('-S', untyped('its shell', REMEDIES.shell)),
    valued('-C', untyped('what directives begin with', 'Gridcast reads lines that begin with #$')),
    valued('-w', asEver('how it is checked')),
    flag('-hard', asEver('requests that must be met follow')),
    flag('-soft', untyped('requests that are wishes alone follow', 'Gridcast takes each as one that must be met')),
    valued('-R', untyped('whether processors are set aside for it')),
    flag('-terse', asEver('prints its id')),
    flag('-clear', asEver('forgets what was said before')),
    ...VALUED.split(' ').map((name) => valued(name, untyped(name.slice(1)))),
    ...FLAGS.split(' ').map((name) => flag(name, untyped(name.slice(1)))),
  ],
};

/** `-pe NAME SLOTS`, which is one value here. */
function parallelEnvironment(value: string): readonly OptionReading[] {
  const [name = '', slots = ''] = value.split(' ');
  const where = cannot(`parallel environment ${quoted(name)}`, 'Gridcast chooses one that holds the job');
  if (wholeOf(slots) === null) return [where, cannot('slots', `${quoted(slots)} is no whole number above 0`)];
  return [where, ...count('processors', 'slots')(slots)];
}

/** One of the resources that `-l` asks for; one without a value is asked to be true. */
function complexOf(text: string): readonly OptionReading[] {
  const [, name = '', value = 'true'] = /^\s*([^=\s]+)\s*(?:=\s*([\s\S]*?))?\s*$/.exec(text) ?? [];
  if (MEMORY.test(name)) return amount('memoryPerProcessorMebibytes', 'memory for each slot', GRID_ENGINE_UNITS)(value);
  if (/^(?:h_rt|s_rt)$/.test(name)) return limitOf(name, value);
  if (/^(?:gpu|gpus|ngpus|cuda)$/.test(name)) return count('gpus', 'GPUs')(value === 'true' ? '1' : value);
  if (/^(?:exclusive|excl|exclusive_node)$/.test(name)) {
    if (/^(?:true|1)$/i.test(value)) return [asks('exclusive', true, 'no other job on its nodes')];
    return asEver('other jobs on its nodes')(value);
  }
  if (/^(?:q|qname)$/.test(name)) return named('queue', 'queue')(value);
  if (/^(?:tmpfs|tmp_free|scratch)$/.test(name)) {
    return amount('tmpPerNodeMebibytes', 'local disk space', GRID_ENGINE_UNITS)(value);
  }
  if (/^[A-Za-z_]\w*$/.test(name) && /^true$/i.test(value)) return [asks('constraints', [name], `nodes with ${name}`)];
  return [cannot(`resource ${quoted(text)}`, 'Gridcast does not know that resource')];
}

const MEMORY = /^(?:h_vmem|s_vmem|mem_free|mf|virtual_free|vf|h_rss|mem|memory|ram|m_mem_free)$/;

/** Parts may be empty: `::30`. */
function limitOf(name: string, value: string): readonly OptionReading[] {
  if (name === 's_rt') return untyped('a signal before its walltime')(value);
  return walltime((text) => clockSeconds(text.replace(/(?<=^|:)(?=:|$)/g, '0'), 'SECONDS_LAST'))(value);
}
