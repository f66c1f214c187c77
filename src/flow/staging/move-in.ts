import { MAX_COPY_BYTES, MAX_PIECE_BYTES } from '../../domain/job-folder.ts';
import { isSitePath, StageFailure } from '../../domain/staging.ts';
import type { StagedFileChange } from '../../store/stagings.ts';
import { assertSize, begunAgain, type FileRun } from './file-run.ts';
import type { RemoteFile } from './remote-files.ts';
import { RunningHash } from './running-hash.ts';

/**
 * Moves a file, or some of it, into the folder of a job: on from what is on record. What is there is compared before it
 * is gone on from after a break, and all of it at the end.
 * @throws StageFailure
 */
export async function moveIn(run: FileRun): Promise<void> {
  if (isSitePath(run.file.address)) return copyIn(run);
  const hash = await RunningHash.open(run.file.hashState);
  if (run.isDoubtful && run.file.movedBytes > 0 && !(await isThere(run, hash))) return restart(run);
  const { movedBytes } = run.file;
  const source = await run.remote.read(run.file.address, movedBytes, run.signal);
  if (hasChanged(run, source)) return restart(run, source);
  if (source.totalBytes !== null) assertSize(run, source.totalBytes);
  const movedTo = await pour(run, source, hash);
  if (movedTo !== null) await complete(run, movedTo, hash.sha256());
}

/** Whether the site has what is on record, byte by byte. */
async function isThere({ folder, file }: FileRun, hash: RunningHash): Promise<boolean> {
  const there = await folder.look(file.path, file.movedBytes);
  return there !== null && there.sha256 === hash.sha256();
}

function hasChanged({ file }: FileRun, { version, totalBytes }: RemoteFile): boolean {
  if (file.movedBytes === 0) return false;
  return version !== file.sourceVersion || (file.bytes !== null && totalBytes !== file.bytes);
}

async function restart(run: FileRun, source?: RemoteFile): Promise<void> {
  if (source) await leave(source);
  await run.save(begunAgain(run.file));
}

/** Writes what the source gives. Returns where it ended; null when the step ended before. */
async function pour(run: FileRun, source: RemoteFile, hash: RunningHash): Promise<number | null> {
  const { file, folder } = run;
  const { totalBytes: bytes, version: sourceVersion } = source;
  let offset = file.movedBytes;
  for await (const piece of inPieces(source.bytes, offset === 0)) {
    if (bytes === null) assertSize({ ...run, file: { ...file, statedBytes: null } }, offset + piece.length);
    const answer = await folder.ask({ verb: 'WRITE', name: folder.name, path: file.path, offset, bytes: piece });
    if (answer.said !== 'FILE') throw new StageFailure('SITE_FAULT', false);
    offset += piece.length;
    hash.add(piece);
    const change: StagedFileChange = { state: 'MOVING', bytes, movedBytes: offset, sourceVersion, fault: null };
    const isWanted = await run.save({ ...change, hashState: hash.state() });
    if (!isWanted || (performance.now() > run.endAt && offset !== bytes)) return null;
  }
  if (bytes !== null && offset !== bytes) throw new StageFailure('SOURCE_FAULT', false);
  return offset;
}

/** Bytes in pieces as they are written. An empty file is one, too. */
async function* inPieces(bytes: AsyncIterable<Uint8Array>, isFirst: boolean): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let length = 0;
  let isNew = isFirst;
  for await (const part of bytes) {
    parts.push(part);
    length += part.length;
    if (length < MAX_PIECE_BYTES) continue;
    const all = Buffer.concat(parts);
    const whole = all.length - (all.length % MAX_PIECE_BYTES);
    for (let at = 0; at < whole; at += MAX_PIECE_BYTES) yield all.subarray(at, at + MAX_PIECE_BYTES);
    parts = [all.subarray(whole)];
    length = all.length - whole;
    isNew = false;
  }
  if (length > 0 || isNew) yield Buffer.concat(parts);
}

/** Compares what is there with what was sent and with what was stated. */
async function complete(run: FileRun, bytes: number, sha256: string): Promise<void> {
  const { file, folder } = run;
  if (file.statedBytes !== null && bytes !== file.statedBytes) throw new StageFailure('OTHER_SIZE', true);
  const there = await folder.look(file.path, bytes);
  const isSame = there?.sizeBytes === bytes && (bytes === 0 || there.sha256 === sha256);
  if (!isSame) return restart(run);
  if (file.statedSha256 !== null && sha256 !== file.statedSha256) throw new StageFailure('OTHER_SHA256', true);
  await run.save({ state: 'MOVED', bytes, movedBytes: bytes, sha256, hashState: null, fault: null });
}

/** Has the site copy a file of its own. */
async function copyIn(run: FileRun): Promise<void> {
  const { file, folder } = run;
  const { address: from, path } = file;
  let { movedBytes: offset, sourceVersion } = file;
  for (;;) {
    const request = { name: folder.name, path, from, offset } as const;
    const answer = await folder.ask({ verb: 'COPY', ...request, limit: MAX_COPY_BYTES });
    if (answer.said === 'ABSENT') throw new StageFailure('NOT_FOUND', true);
    if (answer.said === 'SHORT') return restart(run);
    if (answer.said !== 'FILE' || !answer.source) throw new StageFailure('SITE_FAULT', false);
    const { sizeBytes: bytes, version } = answer.source;
    assertSize(run, bytes);
    if (offset > 0 && (version !== sourceVersion || (file.bytes !== null && bytes !== file.bytes))) return restart(run);
    offset = answer.sizeBytes;
    sourceVersion = version;
    const isWanted = await run.save({ state: 'MOVING', bytes, movedBytes: offset, sourceVersion, fault: null });
    if (offset >= bytes) return completeCopy(run, bytes);
    if (!isWanted || performance.now() > run.endAt) return;
  }
}

async function completeCopy(run: FileRun, bytes: number): Promise<void> {
  const { file, folder } = run;
  const request = { verb: 'LOOK', name: folder.name, path: file.path, from: file.address, bytes } as const;
  const answer = await folder.ask(request);
  if (answer.said !== 'FILE' || answer.sizeBytes !== bytes) return restart(run);
  await complete(run, bytes, answer.sha256 ?? EMPTY_SHA256);
}

async function leave({ bytes }: RemoteFile): Promise<void> {
  await bytes[Symbol.asyncIterator]().return?.();
}

/** Of no bytes at all. */
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
