/** Which way a file goes: to the job's folder before the job, or out of it after its end. */
export const STAGE_DIRECTIONS = ['IN', 'OUT'] as const;
export type StageDirection = (typeof STAGE_DIRECTIONS)[number];

/** What becomes of the folder of a job once its outputs are out. */
export const FOLDER_ENDS = ['REMOVE', 'KEEP'] as const;
export type FolderEnd = (typeof FOLDER_ENDS)[number];

/** A file that is to be in the job's folder before the job is handed in. */
export interface StageIn {
  /** URL, or a path from / on at the site. */
  readonly from: string;
  /** Below the job's folder. */
  readonly to: string;
  /** That it must have; any unless told. */
  readonly bytes?: number;
  /** That it must have, in 64 lower hexadecimal digits; any unless told. */
  readonly sha256?: string;
}

/** A file of the job's folder that is to be moved out after the end of the job. */
export interface StageOut {
  /** Below the job's folder. */
  readonly from: string;
  /** URL to which it is PUT. */
  readonly to: string;
}

/** What is moved for one job. A job of which that is asked starts in a folder of its own. */
export interface StageRequest {
  readonly in: readonly StageIn[];
  readonly out: readonly StageOut[];
  readonly folder: FolderEnd;
}

/** Stands for the index of a task of an array in its arguments, and in the paths and addresses of its files. */
export const INDEX_PLACE = '{index}';

/** What is moved for one task of an array. */
export function stagedForTask(request: StageRequest, taskIndex: number): StageRequest {
  const placed = (text: string) => text.replaceAll(INDEX_PLACE, String(taskIndex));
  const inputs = request.in.map((file) => ({ ...file, from: placed(file.from), to: placed(file.to) }));
  const outputs = request.out.map(({ from, to }) => ({ from: placed(from), to: placed(to) }));
  return { ...request, in: inputs, out: outputs };
}

/**
 * The durable life of the folder of one try of a job at one site. `FILLING` inputs are moved in, before anything is
 * submitted. `READY` all of them are there: the job may be handed in, waits, runs. `EMPTYING` the job is over and
 * outputs are moved out. `KEPT` the folder stays for a while. `CLEARING` the folder is removed. `ENDED` nothing more is
 * done about it.
 */
export const STAGING_STATES = ['FILLING', 'READY', 'EMPTYING', 'KEPT', 'CLEARING', 'ENDED'] as const;
export type StagingState = (typeof STAGING_STATES)[number];

/** How far one file is. `SKIPPED` it was not wanted any more: its job was cancelled, moved, or never ran. */
export const STAGED_FILE_STATES = ['WAITING', 'MOVING', 'MOVED', 'FAILED', 'SKIPPED'] as const;
export type StagedFileState = (typeof STAGED_FILE_STATES)[number];

/** Why a file was not moved, or why it waits for its next try. */
export const STAGE_FAULTS = [
  'NOT_FOUND',
  'DENIED',
  'ADDRESS_REFUSED',
  'PATH_REFUSED',
  'TOO_LARGE',
  'OTHER_SIZE',
  'OTHER_SHA256',
  'CHANGED',
  'SITE_FULL',
  'SITE_FAULT',
  'SOURCE_FAULT',
  'TOO_LATE',
] as const;
export type StageFault = (typeof STAGE_FAULTS)[number];

/**
 * A fault as it is on record: its name, and after a blank the HTTP status that the server of its address answered with,
 * where it answered.
 */
export type RecordedFault = StageFault | `${StageFault} ${number}`;

/** A fault and the HTTP status that goes with it; null where none does. */
export interface StageFinding {
  readonly fault: StageFault;
  readonly httpStatus: number | null;
}

/** What is on record of a fault. */
export function toRecordedFault({ fault, httpStatus }: StageFinding): RecordedFault {
  return httpStatus === null ? fault : `${fault} ${httpStatus}`;
}

/** The same read back, whether it has a status or not. */
export function stageFinding(recorded: string): StageFinding {
  const [fault, status] = recorded.split(' ');
  return { fault: fault as StageFault, httpStatus: status === undefined ? null : Number(status) };
}

/** What came too late, with what the server answered the last time. */
export function withLastStatus(recorded: RecordedFault, last: string | null): RecordedFault {
  if (recorded !== 'TOO_LATE' || last === null) return recorded;
  return toRecordedFault({ fault: recorded, httpStatus: stageFinding(last).httpStatus });
}

/** A fault in a sentence, the same for every file. */
export function stageFaultSentence(fault: StageFault): string {
  return SENTENCES[fault];
}

/** A fault of one file in a sentence: what the server of its address answered to what, where it answered. */
export function describeStageFault({ fault, httpStatus }: StageFinding, direction: StageDirection): string {
  if (httpStatus === null) return stageFaultSentence(fault);
  const method = direction === 'IN' ? 'GET' : 'PUT';
  const answered = `the server answered ${method} with ${httpStatus}`;
  if (fault === 'TOO_LATE') return `${stageFaultSentence(fault)}: ${answered} last`;
  const hint = statusHint(httpStatus, direction);
  return hint === null ? answered : `${answered}: ${hint}`;
}

/** What a status mostly comes of, where that helps. */
function statusHint(status: number, direction: StageDirection): string | null {
  if (status < 300) return 'that is not the plain content of a file';
  if (status < 400) {
    return direction === 'IN'
      ? 'what it redirects to led to no file'
      : 'no redirects are followed when a file is written';
  }
  return HINTS[direction][status] ?? null;
}

const RUN_OUT = 'the signature or the token of the address may have run out';
const HINTS: Readonly<Record<StageDirection, Readonly<Record<number, string>>>> = {
  IN: {
    ...{ 400: `${RUN_OUT}, to which S3 says 400`, 401: RUN_OUT, 403: `${RUN_OUT}, or be none to read the file` },
    ...{ 404: 'there is no such file', 410: 'there is no such file any more' },
  },
  OUT: {
    ...{ 400: `${RUN_OUT}, to which S3 says 400`, 401: RUN_OUT, 403: `${RUN_OUT}, or be none to write the file` },
    ...{ 404: 'there is no such place', 410: 'there is no such place any more' },
  },
};

const SENTENCES: Readonly<Record<StageFault, string>> = {
  NOT_FOUND: 'there is no such file',
  DENIED: 'access is denied, to the account at the site or by the server of the address',
  ADDRESS_REFUSED: 'the address is none that may be asked: it leads to a private network, or away from http and https',
  PATH_REFUSED:
    'the path is none that may be used: it leads out of its folder or out of stagingSources, or to what is no plain file',
  TOO_LARGE: 'it is larger than may be moved',
  OTHER_SIZE: 'it has not the size that was stated',
  OTHER_SHA256: 'it has not the SHA-256 that was stated',
  CHANGED: 'it changed while it was moved',
  SITE_FULL: 'the site has no room for it',
  SITE_FAULT: 'the site could not be asked',
  SOURCE_FAULT: 'its server could not be asked, broke off, or answered with no file',
  TOO_LATE: 'it could not be moved in time',
};

/** A file that cannot be moved. One that is final would fail again the same way. */
export class StageFailure extends Error {
  /** What the server of its address answered with; null where it did not. */
  readonly httpStatus: number | null;

  constructor(
    readonly fault: StageFault,
    readonly isFinal: boolean,
    { httpStatus, ...options }: ErrorOptions & { readonly httpStatus?: number } = {},
  ) {
    super(stageFaultSentence(fault), options);
    this.name = 'StageFailure';
    this.httpStatus = httpStatus ?? null;
  }
}

/** Most files of one job, both ways together. */
export const MOST_STAGED_FILES = 64;

/** Whether a text is a plain path below a folder: no way up, none from /, nothing that is not printable. */
export function isPathBelow(path: string): boolean {
  if (path.length === 0 || Buffer.byteLength(path) > LONGEST_PATH || /\p{Cc}|\p{Surrogate}/u.test(path)) return false;
  const parts = path.split('/');
  return parts.length <= MOST_FOLDERS && parts.every(isPlainPart);
}

function isPlainPart(part: string): boolean {
  return part !== '' && part !== '.' && part !== '..' && Buffer.byteLength(part) <= LONGEST_PART;
}

/** Bytes of a path below the folder of a job, and of each of its parts. */
export const LONGEST_PATH = 512;
const LONGEST_PART = 255;
const MOST_FOLDERS = 16;

/** Whether what is to be moved in lies at the site. */
export function isSitePath(from: string): boolean {
  return from.startsWith('/');
}

/** An address without what may be secret in it; a path as it is. */
export function publicAddress(address: string): string {
  if (isSitePath(address)) return address;
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}
