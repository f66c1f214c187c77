import {
  INDEX_PLACE,
  isPathBelow,
  isSitePath,
  LONGEST_PATH,
  MOST_STAGED_FILES,
  type StageIn,
  type StageRequest,
} from '../../domain/staging.ts';
import { quoted } from '../../domain/text.ts';
import type { Limits } from '../carry-out/context.ts';
import { type FaultList } from './faults.ts';

/** A job as far as it says what is moved for it, and what that does not go with. */
export interface StagedInput {
  readonly staging?: StageRequest | undefined;
  readonly workFolder?: string | undefined;
  readonly startAfter?: unknown;
  readonly finishBy?: unknown;
  readonly maxDelaySeconds?: number | null;
  readonly avoidIoBurstsSeconds?: number | null;
}

/** Adds what is wrong with the files that are to be moved for a job. */
export function checkStaging(faults: FaultList, input: StagedInput, limits: Limits): void {
  const { staging, workFolder } = input;
  if (!staging) return;
  const count = staging.in.length + staging.out.length;
  const many = `${count} files are staged, at most ${MOST_STAGED_FILES} are accepted; pack some together`;
  faults.require(count <= MOST_STAGED_FILES, 'input.stageIn', many);
  const both =
    'workFolder does not go with stageIn and stageOut: a job of which files are moved starts in a folder of its own; leave it out';
  faults.require(workFolder === undefined, 'input.workFolder', both);
  const held = 'a job of which files are moved is not held back; leave maxDelaySeconds and avoidIoBurstsSeconds out';
  faults.require(!input.maxDelaySeconds && !input.avoidIoBurstsSeconds, 'input.maxDelaySeconds', held);
  const ahead = `no files are moved for a job that starts right after another, and ${count} are asked for; leave startAfter out`;
  faults.require(!input.startAfter, 'input.startAfter', ahead);
  const promised = `no files are moved for a job that is promised to finish, and ${count} are asked for; leave finishBy out, or have the files at the site in its workFolder and leave stageIn and stageOut out`;
  faults.require(!input.finishBy, 'input.finishBy', promised);
  for (const [index, file] of staging.in.slice(0, MOST_STAGED_FILES).entries()) {
    checkIn(faults, file, `input.stageIn[${index}]`, limits);
  }
  for (const [index, { from, to }] of staging.out.slice(0, MOST_STAGED_FILES).entries()) {
    checkPath(faults, from, `input.stageOut[${index}].from`);
    checkAddress(faults, to, `input.stageOut[${index}].to`);
  }
  checkApart(faults, staging);
  const bytes = staging.in.reduce((sum, file) => sum + (file.bytes ?? 0), 0);
  const most = `the files have ${bytes} bytes together, at most ${limits.maxStagedJobBytes} are moved for a job`;
  faults.require(bytes <= limits.maxStagedJobBytes, 'input.stageIn', most);
}

/** Adds what is wrong with files that are moved for each task of an array. */
export function checkStagedTasks(faults: FaultList, staging: StageRequest, tasks: number): void {
  const count = tasks * (staging.in.length + staging.out.length);
  const many = `${count} files are staged for ${tasks} tasks, at most ${MOST_STAGED_OF_ARRAY} are accepted; pack some together`;
  faults.require(count <= MOST_STAGED_OF_ARRAY, 'input.stageIn', many);
  if (tasks === 1) return;
  for (const [index, { to }] of staging.out.slice(0, MOST_STAGED_FILES).entries()) {
    const shared = `every task would write to one address; say ${INDEX_PLACE} where the index of the task is to stand`;
    faults.require(to.includes(INDEX_PLACE), `input.stageOut[${index}].to`, shared);
  }
}

function checkIn(faults: FaultList, { from, to, bytes, sha256 }: StageIn, path: string, limits: Limits): void {
  if (isSitePath(from)) checkSitePath(faults, from, `${path}.from`);
  else checkAddress(faults, from, `${path}.from`);
  checkPath(faults, to, `${path}.to`);
  if (bytes !== undefined) {
    const { maxStagedFileBytes: most } = limits;
    const size = `bytes must be a whole number from 0 to ${most}, got ${bytes}`;
    faults.require(Number.isSafeInteger(bytes) && bytes >= 0 && bytes <= most, `${path}.bytes`, size);
  }
  if (sha256 === undefined) return;
  const digits = `sha256 must have 64 hexadecimal digits, got ${quoted(sha256)}`;
  faults.require(/^[0-9a-f]{64}$/.test(sha256), `${path}.sha256`, digits);
}

function checkPath(faults: FaultList, path: string, field: string): void {
  const rule = `a path below the job's folder has at most ${LONGEST_PATH} bytes, no / at its ends, and no part that is empty, . or ..`;
  faults.require(isPathBelow(path), field, `${rule}; got ${quoted(path)}`);
}

function checkSitePath(faults: FaultList, from: string, field: string): void {
  const rule = `a path at a site begins with / and has no part that is empty, . or .., or is a URL of http or https`;
  faults.require(isPathBelow(from.slice(1)), field, `${rule}; got ${quoted(from)}`);
}

/** Nothing of an address is told back but what cannot be secret. */
function checkAddress(faults: FaultList, address: string, field: string): void {
  const rule = `a URL of http or https without user, password and fragment, of at most ${LONGEST_ADDRESS} characters`;
  faults.require(isAddress(address), field, `${rule}, or a path from / on at the site to stage in, is wanted here`);
}

function isAddress(address: string): boolean {
  if (address.length > LONGEST_ADDRESS || /[\p{Cc}\p{Surrogate}\s]/u.test(address) || !URL.canParse(address))
    return false;
  const { protocol, username, password, hash, hostname } = new URL(address);
  const isHttp = protocol === 'http:' || protocol === 'https:';
  return isHttp && username === '' && password === '' && hash === '' && hostname !== '';
}

/** Two files may not lie in one place, nor one below another. */
function checkApart(faults: FaultList, staging: StageRequest): void {
  const places = staging.in.map(({ to }) => to);
  const clash = places.findIndex((place, index) => {
    return places.some(
      (other, at) => (at < index && other === place) || (at !== index && place.startsWith(`${other}/`)),
    );
  });
  const place = `two files of stageIn go to ${quoted(places[clash] ?? '')}, or one of them below another; give each a place of its own`;
  faults.require(clash < 0, `input.stageIn[${clash}].to`, place);
  const targets = staging.out.map(({ to }) => to);
  const twice = targets.findIndex((target, index) => targets.indexOf(target) !== index);
  faults.require(
    twice < 0,
    `input.stageOut[${twice}].to`,
    'two files of stageOut go to one address; give each its own',
  );
}

/** Signed addresses are long. */
export const LONGEST_ADDRESS = 4096;
/** Files of all tasks of an array, both ways together. */
const MOST_STAGED_OF_ARRAY = 10_000;
