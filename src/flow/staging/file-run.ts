import { SiteFailure } from '../../domain/failures.ts';
import type { FolderAnswer, FolderRequest } from '../../domain/job-folder.ts';
import type { SiteAdapter } from '../../domain/site-adapter.ts';
import { StageFailure } from '../../domain/staging.ts';
import type { StagedFileChange, StagedFileRow, StagingRow } from '../../store/stagings.ts';
import type { RemoteFiles } from './remote-files.ts';

/** What is known of one file while a step moves it. */
export interface FileRun {
  readonly staging: StagingRow;
  readonly file: StagedFileRow;
  readonly folder: SiteFolder;
  readonly remote: RemoteFiles;
  readonly limits: StagingLimits;
  /** The step ends soon after that, by `performance.now`. */
  readonly endAt: number;
  /** Aborted when the step has to end. */
  readonly signal: AbortSignal;
  /** Whether what is there must be compared before it is gone on from: something broke since. */
  readonly isDoubtful: boolean;
  /**
   * Writes down how far the file is. False when it is not wanted any more.
   * @throws StaleTurn when another worker has taken the turn
   */
  save(change: StagedFileChange): Promise<boolean>;
}

/** How much may be moved. */
export interface StagingLimits {
  readonly mostFileBytes: number;
  readonly mostJobBytes: number;
}

/** The folder of a job at its site. */
export class SiteFolder {
  constructor(
    private readonly adapter: SiteAdapter,
    readonly name: string,
  ) {}

  /** @throws StageFailure when its site could not be asked or says that it must not be done */
  async ask(request: FolderRequest): Promise<FolderAnswer> {
    const { stage } = this.adapter;
    if (!stage) throw new StageFailure('SITE_FAULT', false);
    const answer = await stage.call(this.adapter, request).catch((error: unknown) => {
      if (!(error instanceof SiteFailure)) throw error;
      const isFinal = error.kind === 'final';
      throw new StageFailure(isFinal ? 'PATH_REFUSED' : 'SITE_FAULT', isFinal, { cause: error });
    });
    if (answer.said === 'REFUSED') throw new StageFailure('PATH_REFUSED', true);
    if (answer.said === 'DENIED') throw new StageFailure('DENIED', true);
    if (answer.said === 'FULL') throw new StageFailure('SITE_FULL', false);
    return answer;
  }

  /** How large a file of it is, and the SHA-256 of its first bytes; null when there is none. @throws StageFailure */
  async look(path: string, bytes: number): Promise<{ sizeBytes: number; sha256: string | null } | null> {
    const answer = await this.ask({ verb: 'LOOK', name: this.name, path, bytes });
    return answer.said === 'FILE' ? answer : null;
  }
}

/** Before a file that is not as it was is begun again for the last time. */
export const MOST_RESTARTS = 3;

/** What is written when a file has to be moved from its first byte again. @throws StageFailure after some of them */
export function begunAgain({ restarts }: StagedFileRow): StagedFileChange {
  if (restarts >= MOST_RESTARTS) throw new StageFailure('CHANGED', true);
  return { ...AT_THE_BEGINNING, restarts: restarts + 1 };
}

const AT_THE_BEGINNING = { movedBytes: 0, hashState: null, sourceVersion: null, bytes: null } as const;

/** @throws StageFailure when a size is not the one that was stated, or more than may be moved */
export function assertSize({ staging, file, limits }: FileRun, bytes: number): void {
  if (file.statedBytes !== null && bytes !== file.statedBytes) throw new StageFailure('OTHER_SIZE', true);
  const others = staging.files.filter((one) => one.direction === file.direction && one !== file);
  const sum = others.reduce((total, one) => total + (one.bytes ?? 0), bytes);
  if (bytes > limits.mostFileBytes || sum > limits.mostJobBytes) throw new StageFailure('TOO_LARGE', true);
}
