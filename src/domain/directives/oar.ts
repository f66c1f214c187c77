import { quoted } from '../text.ts';
import { clockSeconds, wholeOf } from './amounts.ts';
import type { DirectiveTable, OptionReading } from './directive.ts';
import { asEver, asks, cannot, count, flag, named, REMEDIES, told, untyped, valued, walltime } from './readings.ts';

/** What the options of oarsub(1) mean. Of a script it reads one on a line, the rest of which is its value. */
export const OAR: DirectiveTable = {
  system: 'OAR',
  prefix: '#OAR',
  program: 'oarsub',
  stopsAtCommand: false,
  oneOptionPerLine: true,
  options: [
    valued('-n --name', told('name', 'name')),
    valued('-q --queue', named('queue', 'queue')),
    valued('-l --resource', (value) => value.split(',').flatMap((part) => partOf(part.trim()))),
    valued('-p --property', properties),
    valued('--project', told('account', 'project')),
    valued('-d --directory', told('workFolder', 'work folder')),
    valued('--notify', notification),
    valued('-t --type', type),
    valued('-O --stdout', untyped('where its output goes', REMEDIES.output)),
    valued('-E --stderr', untyped('where its errors go', REMEDIES.output)),
    valued('--array --array-param-file', untyped('an array of jobs', REMEDIES.array)),
    valued('-a --anterior', untyped('comes after another job', REMEDIES.after)),
    valued('-r --reservation', untyped('at a moment', 'reserve promises a moment')),
    flag('--hold', untyped('is held', REMEDIES.hold)),
    valued('--checkpoint', untyped('a signal before its walltime')),
    valued('--signal', untyped('the signal before its walltime')),
    flag('-k --use-job-key', untyped('a key of its own')),
    valued(
      '-i --import-job-key-from-file --import-job-key-inline-priv -e --export-job-key-to-file',
      untyped('its key'),
    ),
    valued('-s --stagein --stagein-md5sum', untyped('files that are staged')),
    flag('-S --scanscript', asEver('reads lines like this one')),
  ],
};

/** A part of a request: `/nodes=2/core=4`, `walltime=1:0:0`. */
function partOf(part: string): readonly OptionReading[] {
  const [, limit] = /^walltime=(.*)$/.exec(part) ?? [];
  if (limit !== undefined) return walltime((text) => clockSeconds(text, 'HOURS_FIRST'))(limit);
  const levels = part.replace(/^\//, '').split('/');
  const counts = levels.map((level) => {
    const [, name = '', digits = ''] = /^([a-z_]+)=(\d+)$/.exec(level) ?? [];
    return { kind: LEVELS[name], number: wholeOf(digits) };
  });
  if (counts.some(({ kind, number }) => kind === undefined || number === null)) {
    return [cannot(`resources ${quoted(part)}`, 'Gridcast takes nodes, cores and GPUs by their numbers')];
  }
  return readingsOf(counts as Level[]);
}

interface Level {
  readonly kind: 'NODE' | 'CORE' | 'GPU' | 'CPU';
  readonly number: number;
}

const LEVELS: Readonly<Record<string, Level['kind']>> = {
  nodes: 'NODE',
  host: 'NODE',
  network_address: 'NODE',
  core: 'CORE',
  resource_id: 'CORE',
  thread: 'CORE',
  gpu: 'GPU',
  gpudevice: 'GPU',
  cpu: 'CPU',
};

function readingsOf(levels: readonly Level[]): readonly OptionReading[] {
  const numberOf = (kind: Level['kind']) => levels.find((level) => level.kind === kind)?.number;
  const [nodes, cores, gpus, sockets] = [numberOf('NODE'), numberOf('CORE'), numberOf('GPU'), numberOf('CPU')];
  const perNode = nodes !== undefined;
  return [
    ...(nodes === undefined ? [] : count('nodes', 'nodes')(String(nodes))),
    ...(gpus === undefined
      ? []
      : [asks(perNode ? 'gpusPerNode' : 'gpus', gpus, `${gpus} GPUs${perNode ? ' on each node' : ''}`)]),
    ...(sockets === undefined ? [] : [cannot(`${sockets} sockets`, 'Gridcast counts processors: state their number')]),
    ...(cores === undefined || sockets !== undefined ? [] : coresOf(cores * (gpus ?? 1), nodes)),
  ];
}

function coresOf(cores: number, nodes: number | undefined): readonly OptionReading[] {
  const meaning = nodes === undefined ? `${cores} cores` : `${cores} cores on each of ${nodes} nodes`;
  return [asks('processors', cores * (nodes ?? 1), meaning)];
}

/** Conditions on resources, of which those are features that ask for a name to be true. */
function properties(value: string): readonly OptionReading[] {
  const bare = value.replace(/^(["'])(.*)\1$/s, '$2');
  const names = bare.split(/\s+and\s+/i).map((one) => {
    const [, name] = /^\s*([a-z_][a-z0-9_]*)\s*=\s*'?(?:YES|true|1)'?\s*$/i.exec(one) ?? [];
    return name;
  });
  const features = names.filter((name) => name !== undefined);
  if (features.length === names.length) {
    return [asks('constraints', features, `nodes with ${quoted(features.join(' and '))}`)];
  }
  return [cannot(`resources where ${quoted(bare)}`, 'Gridcast takes features by name, not conditions')];
}

function notification(value: string): readonly OptionReading[] {
  const [, address] = /^(?:\[[A-Z_,]*\])?mail:(\S+)$/i.exec(value.replace(/^"(.*)"$/, '$1')) ?? [];
  if (address === undefined) return untyped('a command that is told of it')(value);
  const events = ['BEGIN', 'END', 'FAIL'] as const;
  return [
    asks('mailAddress', address, `mails to ${quoted(address)}`),
    asks('mailEvents', events, 'mails at its states'),
  ];
}

function type(value: string): readonly OptionReading[] {
  if (value === 'exclusive') return [asks('exclusive', true, 'no other job on its nodes')];
  return untyped('a type of job')(value);
}
