import { quoted } from '../text.ts';
import { clockSeconds, PBS_UNITS, wholeOf } from './amounts.ts';
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
  REMEDIES,
  told,
  untyped,
  valued,
  variables,
  walltime,
} from './readings.ts';

/** What the options of qsub(1B) mean, of OpenPBS and of Torque. */
export const PBS: DirectiveTable = {
  system: 'PBS',
  prefix: '#PBS',
  program: 'qsub',
  stopsAtCommand: true,
  oneOptionPerLine: false,
  options: [
    valued('-N', told('name', 'name')),
    valued('-q', named('queue', 'queue')),
    valued('-l', (value) => value.split(',').flatMap(resourceOf)),
    valued('-A', named('account', 'account')),
    valued('-P', named('account', 'project')),
    valued('-M', mailAddress),
    valued('-m', mailEvents({ A: ['FAIL'], B: ['BEGIN'], E: ['END'], N: [] }, /(?:)/)),
    valued('-v', variables),
    valued('-d -w', told('workFolder', 'work folder')),
    valued('-o', untyped('where its output goes', REMEDIES.output)),
    valued('-e', untyped('where its errors go', REMEDIES.output)),
    valued('-j', untyped('joins output and errors', REMEDIES.output)),
    valued('-k', untyped('keeps its output where it runs', REMEDIES.output)),
    valued('-R', untyped('removes its output', REMEDIES.output)),
    valued('-J -t', untyped('an array of tasks', REMEDIES.array)),
    valued('-a', untyped('not before a moment', REMEDIES.when)),
    valued('-W', attributes),
    valued('-S', untyped('its shell', REMEDIES.shell)),
    valued('-C', untyped('what directives begin with', 'Gridcast reads lines that begin with #PBS')),
    valued('-r', untyped('whether it is run again')),
    valued('-c', untyped('checkpoints')),
    valued('-p', untyped('a priority')),
    valued('-u', untyped('runs as a user', 'Gridcast chooses the user')),
    valued('-T', untyped('a script at its start')),
    flag('-V', untyped('the environment where it is submitted', 'Gridcast does not know it: state its variables')),
    flag('-h', untyped('is held', REMEDIES.hold)),
    ...'-I -X -x -f -G'.split(' ').map((name) => flag(name, untyped('an interactive job', 'Gridcast has none'))),
    flag('-z', asEver('prints no id')),
  ],
};

/** One of the resources that `-l` asks for. */
function resourceOf(text: string): readonly OptionReading[] {
  const [, name = '', value = ''] = /^\s*([^=\s]+)\s*(?:=\s*([\s\S]*?))?\s*$/.exec(text) ?? [];
  const read = Object.hasOwn(RESOURCES, name) ? RESOURCES[name] : undefined;
  if (read !== undefined) return read(value);
  return [cannot(`resource ${quoted(text)}`, 'Gridcast does not know that resource')];
}

const RESOURCES: Readonly<Record<string, (value: string) => readonly OptionReading[]>> = {
  walltime: walltime((text) => clockSeconds(text, 'SECONDS_LAST')),
  nodes: torqueNodes,
  select,
  place,
  ncpus: count('processors', 'processors'),
  procs: count('processors', 'processors'),
  mppwidth: count('tasks', 'tasks'),
  mem: amount('memoryMebibytes', 'memory in all', PBS_UNITS),
  pmem: amount('memoryPerProcessorMebibytes', 'memory for each process', PBS_UNITS),
  ngpus: count('gpus', 'GPUs'),
  gpus: count('gpusPerNode', 'GPUs on each node'),
  file: amount('tmpPerNodeMebibytes', 'local disk space', PBS_UNITS),
  feature: (value) => [asks('constraints', value.split(':'), `nodes with ${quoted(value)}`)],
  qos: named('qos', 'QOS'),
  advres: named('siteReservation', "the site's reservation"),
  naccesspolicy: (value) =>
    /^singlejob$/i.test(value)
      ? [asks('exclusive', true, 'no other job on its nodes')]
      : [cannot(`node access ${quoted(value)}`, 'Gridcast has nodes of its own for a job alone')],
};

/** Torque's `nodes=N:ppn=M:gpus=G:feature`. */
function torqueNodes(value: string): readonly OptionReading[] {
  const [first = '', ...parts] = value.split(':');
  if (value.includes('+') || wholeOf(first) === null) {
    return [cannot(`nodes ${quoted(value)}`, 'Gridcast takes nodes of one kind by their number')];
  }
  const named = parts.filter((part) => !part.includes('='));
  return [
    ...count('nodes', 'nodes')(first),
    ...parts.filter((part) => part.includes('=')).flatMap((part) => partOf(part, TORQUE_PARTS)),
    ...(named.length === 0 ? [] : [asks('constraints', named, `nodes with ${quoted(named.join(' and '))}`)]),
  ];
}

/** OpenPBS's `select=N:ncpus=C:mpiprocs=P:mem=M:ngpus=G`. A chunk becomes a node. */
function select(value: string): readonly OptionReading[] {
  const [first = '', ...parts] = value.split(':');
  const isCounted = !first.includes('=');
  if (value.includes('+') || (isCounted && wholeOf(first) === null)) {
    return [cannot(`chunks ${quoted(value)}`, 'Gridcast takes chunks of one kind by their number')];
  }
  const chunk = isCounted ? parts : [first, ...parts];
  return [
    ...count('nodes', 'chunks, each on a node')(isCounted ? first : '1'),
    ...processesOf(chunk),
    ...chunk.flatMap((part) => (/^(?:ncpus|mpiprocs)=/.test(part) ? [] : partOf(part, CHUNK_PARTS))),
  ];
}

/** Of a chunk its processes and the processors of each. */
function processesOf(chunk: readonly string[]): readonly OptionReading[] {
  const told = (name: string) => chunk.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1);
  const [processors = '1', processes = '1'] = [told('ncpus'), told('mpiprocs')];
  const [cores, ranks] = [wholeOf(processors), wholeOf(processes)];
  if (cores === null || ranks === null || cores % ranks !== 0) {
    const meaning = `${quoted(processors)} processors and ${quoted(processes)} processes in each chunk`;
    return [cannot(meaning, 'Gridcast takes whole numbers of processors for each process')];
  }
  return [
    ...count('tasksPerNode', 'processes in each chunk')(processes),
    ...count('processorsPerTask', 'processors for each process')(String(cores / ranks)),
  ];
}

type Parts = Readonly<Record<string, (value: string) => readonly OptionReading[]>>;

const TORQUE_PARTS: Parts = {
  ppn: count('tasksPerNode', 'processors on each node'),
  gpus: count('gpusPerNode', 'GPUs on each node'),
};

const CHUNK_PARTS: Parts = {
  mem: amount('memoryPerNodeMebibytes', 'memory for each chunk', PBS_UNITS),
  ngpus: count('gpusPerNode', 'GPUs in each chunk'),
  gpu_type: named('gpuKind', 'GPUs of the kind'),
  gpu_model: named('gpuKind', 'GPUs of the kind'),
  ompthreads: (value) => asEver(`${quoted(value)} threads for each process`)(value),
};

function partOf(part: string, known: Parts): readonly OptionReading[] {
  const [name = '', value = ''] = part.split('=', 2);
  const read = Object.hasOwn(known, name) ? known[name] : undefined;
  return read ? read(value) : [cannot(`resource ${quoted(part)}`, 'Gridcast does not know that resource')];
}

function place(value: string): readonly OptionReading[] {
  return value.split(':').map((word) => {
    if (word === 'excl' || word === 'exclhost') return asks('exclusive', true, 'no other job on its nodes');
    if (word === 'scatter') return { meaning: 'each chunk on a node of its own', wish: null, warning: null };
    if (word === 'free' || word === 'pack' || word === 'shared') {
      return { meaning: `placed ${word}`, wish: null, warning: null };
    }
    return cannot(`placed ${quoted(word)}`, REMEDIES.where);
  });
}

/** `-W name=value,...`. */
function attributes(value: string): readonly OptionReading[] {
  if (/^\s*depend\s*=/.test(value)) return untyped('comes after other jobs', REMEDIES.after)(value);
  if (/^\s*stage(?:in|out)\s*=/.test(value)) return untyped('files that are staged')(value);
  return untyped('attribute')(value);
}
