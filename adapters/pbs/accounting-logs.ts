import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { Command } from '../shared/command.ts';
import { epochOfLocalTime } from '../shared/local-time.ts';
import { parseWords } from './attributes.ts';
import { integerOf, type PbsJob, parseDuration, processorsOf } from './parse.ts';
import { toldByRecord } from './told.ts';

/** One record of an accounting log: `10/04/2022 21:23:20;E;123.server;user=alice ...`. */
export interface AccountingRecord {
  readonly at: EpochSeconds;
  /** `Q`ueued, `S`tarted, `E`nded, `D`eleted, `A`borted, `R`erun, and others. */
  readonly type: string;
  readonly nativeId: string;
  readonly words: ReadonlyMap<string, string>;
}

const END = '# gridcast end';

/** Prints the daily logs: `$1` their folder, `$2` the first day, as the files are called. */
const PRINT_LOGS = `
cd "$1" || exit 2
for day in [0-9]*; do
  [ "$day" \\< "$2" ] || [ ! -e "$day" ] || grep -E '^[^;]*;[QSEDAR];' -- "$day" || [ $? -eq 1 ] || exit 2
done
echo '${END}'`.trim();

/** The command that prints the logs of the days from a moment on. */
export function logsCommand(folder: string, since: EpochSeconds): Command {
  // Days begin at other moments where the server is; a day more covers every zone.
  const firstDay = new Date(Math.max(0, since - 86_400) * 1000).toISOString().slice(0, 10).replaceAll('-', '');
  return { argv: ['sh', '-c', PRINT_LOGS, 'gridcast-accounting', folder, firstDay] };
}

/**
 * Reads the logs' records.
 * @throws Error when the end is missing
 */
export function parseRecords(text: string, timeZone: string): AccountingRecord[] {
  if (!text.endsWith(`${END}\n`)) throw new Error('the accounting logs broke off');
  return text.split('\n').flatMap((line) => {
    const [, month, day, year, time, type = '', nativeId = '', words = ''] =
      /^(\d\d)\/(\d\d)\/(\d{4}) (\d\d:\d\d:\d\d);([A-Za-z]);([^;]*);(.*)$/.exec(line) ?? [];
    if (time === undefined) return [];
    const at = epochOfLocalTime(`${year}-${month}-${day}T${time}`, timeZone);
    return [{ at, type, nativeId, words: parseWords(words) }];
  });
}

/** What the records tell of each job that has ended: by an end, or by a deletion or abortion before it ever started. */
export function endedJobs(records: readonly AccountingRecord[]): PbsJob[] {
  const byJob = new Map<string, AccountingRecord[]>();
  for (const record of records) byJob.set(record.nativeId, [...(byJob.get(record.nativeId) ?? []), record]);
  return [...byJob.values()].map(endedJob).filter((job) => job !== null);
}

function endedJob(records: readonly AccountingRecord[]): PbsJob | null {
  const last = records.findLast(({ type }) => type === 'E');
  const deletion = records.findLast(({ type }) => type === 'D' || type === 'A');
  const hasStarted = records.some(({ type }) => type === 'S');
  const closing = last ?? (hasStarted ? undefined : deletion);
  if (!closing) return null;
  const { nativeId, at } = closing;
  const queued = records.find(({ type }) => type === 'Q');
  const words = new Map([...(queued?.words ?? []), ...closing.words]);
  const startAt = integerOf(words.get('start'));
  return {
    nativeId,
    name: words.get('jobname') ?? null,
    user: words.get('user') ?? words.get('requestor')?.split('@')[0] ?? null,
    queue: words.get('queue') ?? null,
    phase: 'ENDED',
    isSuspended: false,
    processors: processorsOf(words),
    requestedWalltimeSeconds: parseDuration(words.get('Resource_List.walltime')),
    submitAt: integerOf(words.get('ctime')) ?? queued?.at ?? at,
    startAt,
    endAt: integerOf(words.get('end')) ?? at,
    exitStatus: integerOf(words.get('Exit_status')),
    usedWalltimeSeconds: parseDuration(words.get('resources_used.walltime')),
    wasDeleted: deletion !== undefined,
    comment: null,
    estimatedStartAt: null,
    ...toldByRecord(words),
  };
}
