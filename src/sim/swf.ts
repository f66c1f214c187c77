import { MOST_PROCESSORS, remark, UNKNOWN_ROW, Workload, type WorkloadRow } from './workload.ts';
import { WorkloadError } from './workload-error.ts';

const NEWLINE = 10;
const RETURN = 13;
const TAB = 9;
const SPACE = 32;
const MINUS = 45;
const DOT = 46;
const SLASH = 47;
const ZERO = 48;
const NINE = 57;
const SEMICOLON = 59;

/** No job of any machine is older, later or longer, 300 years in seconds. */
const MOST_SECONDS = 1e10;
const LARGEST_INTEGER = 2 ** 31 - 1;

/**
 * The fields of a line with the largest amount of each that can be meant. Some logs ask for any time at all by a large
 * number.
 */
const FIELDS = [
  ['job number', Number.MAX_SAFE_INTEGER],
  ['submit time', MOST_SECONDS],
  ['wait time', MOST_SECONDS],
  ['run time', MOST_SECONDS],
  ['allocated processors', MOST_PROCESSORS],
  ['average CPU time', Number.MAX_VALUE],
  ['used memory', Number.MAX_VALUE],
  ['requested processors', MOST_PROCESSORS],
  ['requested time', Number.MAX_SAFE_INTEGER],
  ['requested memory', Number.MAX_VALUE],
  ['status', 32_767],
  ['user', LARGEST_INTEGER],
  ['group', LARGEST_INTEGER],
  ['executable', LARGEST_INTEGER],
  ['queue', LARGEST_INTEGER],
  ['partition', LARGEST_INTEGER],
  ['preceding job', Number.MAX_SAFE_INTEGER],
  ['think time', Number.MAX_SAFE_INTEGER],
] as const;
const FIELD_COUNT = FIELDS.length;

/** A refused job: why it is counted instead of read. */
const NO_SUBMIT_TIME = 'no submission time, skipped';

/**
 * Reads the Standard Workload Format from bytes as they come (Chapin et al. 1999, JSSPP; version 2.2 of the Parallel
 * Workloads Archive). Header comments may stand anywhere. A line of other than 18 numbers, or with one out of bounds,
 * is an error with its number; a job without a submission time is skipped and counted. Call `push` for every chunk,
 * then `finish`.
 */
export class SwfParser {
  readonly workload: Workload;
  private line = 0;
  private rest: Uint8Array = new Uint8Array(0);
  private readonly fields = new Float64Array(FIELD_COUNT);
  private lastHeaderField = '';

  constructor(private readonly source: string) {
    this.workload = new Workload(source);
  }

  /** @throws WorkloadError on a line that is no SWF */
  push(chunk: Uint8Array): void {
    let bytes = chunk;
    if (this.rest.length > 0) {
      bytes = new Uint8Array(this.rest.length + chunk.length);
      bytes.set(this.rest);
      bytes.set(chunk, this.rest.length);
    }
    let begin = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, begin)) {
      this.readLine(bytes, begin, end);
      begin = end + 1;
    }
    this.rest = bytes.slice(begin);
    if (this.rest.length > LONGEST_LINE_BYTES) this.fail('the line does not end; is this a text file?');
  }

  /**
   * @returns the workload, sorted by submission
   * @throws WorkloadError when there is no job at all
   */
  finish(): Workload {
    if (this.rest.length > 0) this.readLine(this.rest, 0, this.rest.length);
    if (this.workload.length === 0) throw new WorkloadError(this.source, null, 'no job in it; is it an SWF log?');
    this.readQueueNames();
    this.workload.sortBySubmission();
    return this.workload;
  }

  private readLine(bytes: Uint8Array, from: number, until: number): void {
    this.line++;
    let begin = from;
    let end = until;
    while (begin < end && isBlank(bytes[begin] as number)) begin++;
    while (end > begin && isBlank(bytes[end - 1] as number)) end--;
    if (begin === end) return;
    if (bytes[begin] === SEMICOLON) this.readComment(new TextDecoder().decode(bytes.subarray(begin + 1, end)));
    else this.readJob(bytes, begin, end);
  }

  private readComment(text: string): void {
    const header = this.workload.header;
    const field = /^\s?([A-Za-z]\w*):\s*(.*)$/.exec(text);
    if (field) {
      const [, name = '', value = ''] = field;
      if (name === 'UnixStartTime') this.checkOrigin(value.trim());
      header.set(name, header.has(name) ? `${header.get(name)}\n${value}` : value);
      this.lastHeaderField = name;
    } else if (/^\s{3,}\S/.test(text) && this.lastHeaderField) {
      header.set(this.lastHeaderField, `${header.get(this.lastHeaderField)}\n${text.trim()}`);
    }
  }

  private checkOrigin(value: string): void {
    const words = value.split(/\s/)[0] ?? '';
    if (/^\d+(\.\d+)?$/.test(words) && Number(words) <= MOST_SECONDS) return;
    this.fail(`UnixStartTime is no moment in seconds since 1970: ${JSON.stringify(value.slice(0, 40))}`);
  }

  private readJob(bytes: Uint8Array, begin: number, end: number): void {
    const fields = this.fields;
    let position = begin;
    let count = 0;
    while (position < end) {
      if (count === FIELD_COUNT) this.fail(`more than ${FIELD_COUNT} fields`);
      const fieldEnd = this.readNumber(bytes, position, end, count++);
      position = fieldEnd;
      while (position < end && isBlank(bytes[position] as number)) position++;
    }
    if (count < FIELD_COUNT) this.fail(`${count} fields instead of ${FIELD_COUNT}; is the file cut off?`);
    this.keep(fields);
  }

  /** Reads an integer or decimal into field `index` and returns where it ended. */
  private readNumber(bytes: Uint8Array, from: number, end: number, index: number): number {
    let position = from;
    const negative = bytes[position] === MINUS;
    if (negative) position++;
    const digitsFrom = position;
    let value = 0;
    while (position < end && isDigit(bytes[position] as number))
      value = value * 10 + (bytes[position++] as number) - ZERO;
    let digits = position - digitsFrom;
    if (bytes[position] === DOT && position < end) {
      let unit = 0.1;
      const decimalsFrom = ++position;
      for (; position < end && isDigit(bytes[position] as number); unit /= 10) {
        value += ((bytes[position++] as number) - ZERO) * unit;
      }
      digits += position - decimalsFrom;
    }
    if (digits === 0 || (position < end && !isBlank(bytes[position] as number))) {
      this.fail(`${FIELDS[index]?.[0]} is no number: ${JSON.stringify(wordAt(bytes, from, end))}`);
    }
    const [name, most] = FIELDS[index] as (typeof FIELDS)[number];
    if (value > most) this.fail(`${name} is at most ${most}, not ${JSON.stringify(wordAt(bytes, from, end))}`);
    this.fields[index] = negative ? -value : value;
    return position;
  }

  private keep(fields: Float64Array): void {
    const submitAt = fields[1] as number;
    const remarks = this.workload.remarks;
    if (submitAt < 0) {
      remark(remarks, NO_SUBMIT_TIME);
      return;
    }
    if ((fields[2] as number) < -1) remark(remarks, 'negative wait, kept as unknown');
    if ((fields[3] as number) < -1) remark(remarks, 'negative run time, kept as unknown');
    const row = this.row;
    row.id = fields[0] as number;
    row.submitAt = submitAt;
    row.waitSeconds = orUnknown(fields[2] as number);
    row.runSeconds = orUnknown(fields[3] as number);
    row.allocatedProcessors = fields[4] as number;
    row.requestedProcessors = fields[7] as number;
    row.requestedSeconds = fields[8] as number;
    row.status = fields[10] as number;
    row.user = fields[11] as number;
    row.group = fields[12] as number;
    row.executable = fields[13] as number;
    row.queue = fields[14] as number;
    row.partition = fields[15] as number;
    this.workload.add(row);
  }

  private readonly row: WorkloadRow = { ...UNKNOWN_ROW };

  private readQueueNames(): void {
    for (const line of this.workload.header.get('Queue')?.split('\n') ?? []) {
      const named = /^(\d+)\s+(\S+)/.exec(line);
      if (named) this.workload.queueNames.set(Number(named[1]), named[2] as string);
    }
  }

  private fail(what: string): never {
    throw new WorkloadError(this.source, this.line, what);
  }
}

const LONGEST_LINE_BYTES = 65_536;

function orUnknown(seconds: number): number {
  return seconds < 0 ? -1 : seconds;
}

function isBlank(byte: number): boolean {
  return byte === SPACE || byte === TAB || byte === RETURN;
}

function isDigit(byte: number): boolean {
  return byte > SLASH && byte <= NINE;
}

/** The word that begins at `from`, cut to what fits a message. */
function wordAt(bytes: Uint8Array, from: number, end: number): string {
  let until = from;
  while (until < end && !isBlank(bytes[until] as number)) until++;
  return new TextDecoder().decode(bytes.subarray(from, Math.min(until, from + 40)));
}
