import { CliFailure, EXIT } from '../failure.ts';

/** Options that say which files are moved for a job. */
export interface StagingOptions {
  /** `PATH=URL`. */
  readonly stageIn?: readonly string[];
  readonly stageOut?: readonly string[];
  readonly keepWorkFolder?: boolean;
}

/** The same as inputs take them, without what is not said. @throws CliFailure for a word without an address */
export function stagingInput({ stageIn = [], stageOut = [], keepWorkFolder }: StagingOptions) {
  const into = stageIn
    .map((text) => parseStaged(text, '--stage-in'))
    .map(({ path, address }) => ({ from: address, to: path }));
  const out = stageOut
    .map((text) => parseStaged(text, '--stage-out'))
    .map(({ path, address }) => ({ from: path, to: address }));
  return {
    ...(into.length > 0 && { stageIn: into }),
    ...(out.length > 0 && { stageOut: out }),
    ...(keepWorkFolder && { keepWorkFolder: 'KEEP' }),
  };
}

/** Addresses have = in them, so the first one counts. Nothing of an address is told back: it may be signed. */
function parseStaged(text: string, option: string): { path: string; address: string } {
  const at = text.indexOf('=');
  if (at > 0 && at < text.length - 1) return { path: text.slice(0, at), address: text.slice(at + 1) };
  throw new CliFailure(
    `${option} names no path and address`,
    EXIT.usage,
    "write PATH=URL, the path in the job's folder",
  );
}
