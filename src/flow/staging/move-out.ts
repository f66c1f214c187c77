import { MAX_PIECE_BYTES } from '../../domain/job-folder.ts';
import { StageFailure } from '../../domain/staging.ts';
import { assertSize, begunAgain, type FileRun } from './file-run.ts';
import { RunningHash } from './running-hash.ts';

/**
 * Moves a file of a job's folder out, by one PUT of all of it: no address can be gone on with from the middle. One
 * that breaks is done again, until so much was sent in vain that it is given up.
 * @throws StageFailure
 */
export async function moveOut(run: FileRun): Promise<void> {
  const { file, folder, remote, signal } = run;
  const before = await folder.look(file.path, 0);
  if (!before) throw new StageFailure('NOT_FOUND', true);
  const { sizeBytes: bytes } = before;
  assertSize(run, bytes);
  const vainBytes = file.vainBytes + file.movedBytes;
  if (vainBytes >= mostVainBytes(bytes)) throw new StageFailure('SOURCE_FAULT', true);
  if (!(await run.save({ state: 'MOVING', bytes, movedBytes: 0, vainBytes, fault: null }))) return;
  const hash = await RunningHash.open(null);
  await remote.write(file.address, readAll(run, bytes, hash), bytes, signal);
  const sha256 = hash.sha256();
  const after = await folder.look(file.path, bytes);
  const isSame = after?.sizeBytes === bytes && (bytes === 0 || after.sha256 === sha256);
  if (!isSame) {
    await run.save(begunAgain(file));
    return;
  }
  await run.save({ state: 'MOVED', bytes, movedBytes: bytes, sha256, fault: null });
}

/** One piece is asked for while the one before it is on its way. */
async function* readAll(run: FileRun, bytes: number, hash: RunningHash): AsyncGenerator<Uint8Array> {
  let next = bytes > 0 ? readPiece(run, 0, bytes) : null;
  for (let offset = 0; next; ) {
    const piece = await next;
    offset += piece.length;
    next = offset < bytes ? readPiece(run, offset, bytes) : null;
    next?.catch(() => undefined);
    hash.add(piece);
    yield piece;
    await run.save({ movedBytes: offset });
  }
}

async function readPiece({ file, folder }: FileRun, offset: number, bytes: number): Promise<Uint8Array> {
  const limit = Math.min(MAX_PIECE_BYTES / 2, bytes - offset);
  const answer = await folder.ask({ verb: 'READ', name: folder.name, path: file.path, offset, limit });
  if (answer.said !== 'PIECE' || answer.bytes.length !== limit) throw new StageFailure('CHANGED', false);
  return answer.bytes;
}

/** Bytes of a file that PUTs which break may send: it is begun again a few times, a small one often. */
export function mostVainBytes(bytes: number): number {
  return Math.max(SENT_IN_VAIN_TIMES * bytes, LEAST_VAIN_BYTES);
}

const SENT_IN_VAIN_TIMES = 8;
const LEAST_VAIN_BYTES = 2 ** 30;
