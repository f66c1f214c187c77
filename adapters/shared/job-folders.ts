import { Rejected, Unavailable } from '../../src/domain/failures.ts';
import { FOLDER_NAME, type FolderAnswer, type FolderRequest } from '../../src/domain/job-folder.ts';
import { isPathBelow } from '../../src/domain/staging.ts';
import { asFolder } from '../../src/domain/staging-sources.ts';
import type { Command } from './command.ts';
import type { CommandSite } from './command-site.ts';
import { FOLDER_SCRIPT, parseFolderAnswer } from './folder-script.ts';

/** Where a site's jobs have folders of their own, as its configuration says. */
export interface FolderSettings {
  readonly stagingFolder?: string | undefined;
  readonly stagingSources?: readonly string[] | undefined;
  readonly workFolder?: string | undefined;
  readonly timeoutMilliseconds?: number;
}

/**
 * The folders of a site's jobs of which files are moved. All is done by commands as the account whose jobs they are,
 * and can be asked again. What is moved goes by standard input and output, in pieces.
 */
export class JobFolders {
  private readonly folder: string;
  private readonly sources: readonly string[];
  private readonly timeoutMilliseconds: number;

  constructor(
    private readonly site: CommandSite,
    { stagingFolder, stagingSources = [], workFolder, timeoutMilliseconds = 0 }: FolderSettings,
  ) {
    this.folder = stagingFolder ?? (workFolder === undefined ? '~/gridcast-work' : `${workFolder}/gridcast-work`);
    this.sources = stagingSources.map(asFolder);
    this.timeoutMilliseconds = Math.max(timeoutMilliseconds, LEAST_TIMEOUT_MILLISECONDS);
  }

  /**
   * Does something in a folder.
   * @throws Rejected when its words are none, Unavailable when the site cannot be asked or could not do it
   */
  async stage(request: FolderRequest): Promise<FolderAnswer> {
    assertWords(request);
    const { verb } = request;
    const path = 'path' in request ? request.path : '';
    const from = 'from' in request ? (request.from ?? '') : '';
    const offset = 'offset' in request ? request.offset : 0;
    const figures = [String(offset), String(countOf(request))];
    const words = [this.folder, verb, request.name, path, ...figures, from, ...this.sources];
    const command: Command = {
      argv: ['sh', '-c', FOLDER_SCRIPT, 'gridcast', ...words],
      timeoutMilliseconds: this.timeoutMilliseconds,
      ...(verb === 'WRITE' && { stdin: request.bytes }),
    };
    return this.site.ask('staging', command, ({ exitCode, stdout, stderr }) => {
      try {
        return parseFolderAnswer(stdout);
      } catch (error) {
        const words = stderr.trim() || `the script for ${verb} ended with status ${exitCode}`;
        throw new Unavailable(`files cannot be moved: ${words}`, words, { code: 'GARBLED', cause: error });
      }
    });
  }
}

function countOf(request: FolderRequest): number {
  switch (request.verb) {
    case 'LOOK':
      return request.bytes;
    case 'WRITE':
      return request.bytes.length;
    case 'COPY':
    case 'READ':
      return request.limit;
    default:
      return 0;
  }
}

/** Whatever asked for it: nothing is done with words that lead anywhere else. */
function assertWords(request: FolderRequest): void {
  const { name } = request;
  if (!FOLDER_NAME.test(name)) throw new Rejected(`${JSON.stringify(name.slice(0, 80))} names no folder of a job`);
  if ('path' in request && !(isPathBelow(request.path) || (request.path === '' && request.verb === 'LOOK'))) {
    throw new Rejected('the path leads out of the folder of the job');
  }
  const from = 'from' in request ? request.from : undefined;
  if (from !== undefined && !(from.startsWith('/') && isPathBelow(from.slice(1)))) {
    throw new Rejected('the path to be read from is none from / on');
  }
}

/** A large file is compared, and a large folder removed, in so long at least. */
const LEAST_TIMEOUT_MILLISECONDS = 55_000;
