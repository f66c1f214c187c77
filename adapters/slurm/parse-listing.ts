import { countOfTres, memoryOfTres } from './parse-equipment.ts';
import { baseState, type SlurmJob } from './slurm-job.ts';

/**
 * A listing whose fields may contain anything, line feeds and the usual separators too: every field is followed by a
 * mark that was drawn for this listing alone, so that nobody could have written it into a job's name. A row ends with a
 * mark and a line feed.
 * @returns rows of `columns` fields
 * @throws RangeError when the text is not of that form, as when it was cut
 */
export function parseMarked(text: string, mark: string, columns: number): string[][] {
  if (text === '') return [];
  const fields = text.split(mark);
  const rest = fields.pop();
  if (rest !== '\n' || fields.length % columns !== 0) throw new RangeError('the listing is not complete');
  return Array.from({ length: fields.length / columns }, (_, row) =>
    fields
      .slice(row * columns, (row + 1) * columns)
      .map((field, column) => (row > 0 && column === 0 ? field.replace(/^\n/, '') : field)),
  );
}

/** What squeue is asked for, in the order of `parseQueue`. */
export const QUEUE_FIELDS = [
  ...['JobArrayID', 'UserName', 'Partition', 'State', 'NumCPUs', 'TimeLimit', 'PriorityLong'],
  ...[
    'SubmitTime',
    'StartTime',
    'EndTime',
    'NodeList',
    'exit_code',
    'Reason',
    'Name',
    'Account',
    'WorkDir',
    'tres-alloc',
  ],
] as const;

/** Reads squeue's listing of QUEUE_FIELDS with SLURM_TIME_FORMAT=%s. */
export function parseQueue(text: string, mark: string): SlurmJob[] {
  return parseMarked(text, mark, QUEUE_FIELDS.length).map((fields) => {
    const [id, user, partition, state, processors, limit, priority, submit, start, end, ...others] = fields as Row;
    const [nodes, status, reason, name, account, workFolder, tres] = others;
    return {
      id,
      name,
      user: orNull(user),
      partition: orNull(partition),
      state: baseState(state),
      processors: Number(processors),
      timeLimitSeconds: parseTimeLimit(limit),
      priority: Number(priority),
      submitAt: Number(submit),
      startAt: parseEpoch(start),
      endAt: parseEpoch(end),
      hasNodes: hasNodes(nodes),
      ...endOfWait(Number(status)),
      reason: reasonOf(reason),
      account: orNull(account),
      workFolder: orNull(workFolder),
      gpus: countOfTres(tres, 'gres/gpu') ?? 0,
      memoryMebibytes: memoryOfTres(tres),
      billing: hasNodes(nodes) ? countOfTres(tres, 'billing') : null,
    };
  });
}

/** Seconds of a limit like `5:00`, `1:30:00`, `2-00:00:00`; null when there is none. */
export function parseTimeLimit(text: string): number | null {
  const match = /^(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+)$/.exec(text);
  if (!match) return null;
  const [days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
  ];
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}

/** How a script ended, where Slurm writes its own status and a signal as `7:0` and `0:9`. */
export function parseEnd(text: string): ScriptEnd {
  const [, status, signal] = /^(\d+):(\d+)$/.exec(text) ?? [];
  if (status === undefined) return { exitCode: null, signal: null };
  return signal === '0' ? { exitCode: Number(status), signal: null } : { exitCode: null, signal: Number(signal) };
}

/** The same out of what wait(2) gives. */
export function endOfWait(waitStatus: number): ScriptEnd {
  const signal = waitStatus & 0x7f;
  return signal === 0 ? { exitCode: (waitStatus >> 8) & 0xff, signal: null } : { exitCode: null, signal };
}

type ScriptEnd = Pick<SlurmJob, 'exitCode' | 'signal'>;

/** Whether a list of nodes names any. */
export function hasNodes(nodes: string): boolean {
  return nodes !== '' && nodes !== 'None assigned' && nodes !== '(null)';
}

/** Epoch seconds; null where Slurm writes a word or nothing. */
export function parseEpoch(text: string): number | null {
  return /^\d+$/.test(text) && text !== '0' ? Number(text) : null;
}

/** Slurm's word for why a job waits; null where it has none (yet). */
export function reasonOf(text: string): string | null {
  return text === '' || text === 'None' || text === '(null)' ? null : text;
}

/** A text that Slurm has; null where it has none. */
export function orNull(text: string): string | null {
  return text === '' || text === '(null)' ? null : text;
}

type Row = [
  ...[string, string, string, string, string, string, string, string, string, string],
  ...[string, string, string, string, string, string, string],
];
