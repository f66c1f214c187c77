import { Rejected, Unavailable } from '../../src/domain/failures.ts';
import type { JobSpec } from '../../src/domain/job.ts';
import { type OutputPiece, type OutputRequest, streamFileName } from '../../src/domain/job-output.ts';
import type { CommandSite } from './command-site.ts';
import { jobNameOf } from './job-name.ts';
import { parsePieces, READ_PIECES, type ReadPiece } from './output-reading.ts';

/** Where a site's jobs write to, as its configuration says. */
export interface OutputSettings {
  readonly outputFolder?: string | undefined;
  readonly workFolder?: string | undefined;
}

/**
 * The streams of a site's jobs: each job writes to files of its own, in a folder named by its submission key, and they
 * are read by commands. Pieces that are asked for while a command is under way share the next one.
 */
export class JobOutputs {
  private readonly folder: string;
  private readonly waiting: Waiting[] = [];
  private underWay = 0;

  constructor(
    private readonly site: CommandSite,
    { outputFolder, workFolder }: OutputSettings,
  ) {
    this.folder = outputFolder ?? (workFolder === undefined ? '~/gridcast' : `${workFolder}/gridcast`);
  }

  /** The job with the folder that its streams go to. */
  place(spec: JobSpec, key: string): JobSpec {
    return { ...spec, outputFolder: `${this.folder}/${key}` };
  }

  /**
   * A piece of a stream; null when the job has written none, as before its start.
   * @throws Rejected when something else stands in its place, Unavailable when the site cannot be asked
   */
  async read(request: OutputRequest): Promise<OutputPiece | null> {
    jobNameOf(request.key);
    return new Promise((resolve, reject) => {
      this.waiting.push({ request, resolve, reject });
      this.readNext();
    });
  }

  private readNext(): void {
    if (this.underWay >= MOST_COMMANDS || this.waiting.length === 0) return;
    const batch = this.waiting.splice(0, countThatFits(this.waiting));
    this.underWay++;
    this.readAll(batch.map(({ request }) => request))
      .then(
        (pieces) => {
          for (const [index, { resolve, reject }] of batch.entries())
            settle(pieces[index] as ReadPiece, resolve, reject);
        },
        (error: unknown) => {
          for (const { reject } of batch) reject(error);
        },
      )
      .finally(() => {
        this.underWay--;
        this.readNext();
      });
  }

  private readAll(requests: readonly OutputRequest[]): Promise<ReadPiece[]> {
    const words = requests.flatMap(({ key, stream, offset, limit }) => [
      key,
      streamFileName(stream),
      String(offset + 1),
      String(limit),
    ]);
    const argv = ['sh', '-c', READ_PIECES, 'gridcast', this.folder, ...words] as const;
    return this.site.ask('files', { argv }, ({ stdout, stderr }) => {
      try {
        return parsePieces(stdout, requests.length);
      } catch (error) {
        const said = stderr.trim() || (error instanceof Error ? error.message : String(error));
        throw new Unavailable(`files cannot be read: ${said}`, said, { code: 'GARBLED', cause: error });
      }
    });
  }
}

interface Waiting {
  readonly request: OutputRequest;
  resolve(piece: OutputPiece | null): void;
  reject(error: unknown): void;
}

function settle(piece: ReadPiece, resolve: Waiting['resolve'], reject: Waiting['reject']): void {
  if (piece.found === 'ABSENT') resolve(null);
  else if (piece.found === 'REFUSED')
    reject(new Rejected('what stands in the place of the output is not what the job was given'));
  else resolve({ bytes: piece.bytes, totalBytes: piece.sizeBytes });
}

/** How many of the first requests one command takes, at least one. */
function countThatFits(waiting: readonly Waiting[]): number {
  let bytes = 0;
  const tooMany = waiting.findIndex(({ request }, index) => {
    bytes += request.limit;
    return index >= MOST_PIECES || (index > 0 && bytes > MOST_BYTES);
  });
  return tooMany < 0 ? waiting.length : tooMany;
}

/** Commands at once, which leaves a site's other sessions to its scheduler. */
const MOST_COMMANDS = 2;
const MOST_PIECES = 64;
const MOST_BYTES = 4 << 20;
