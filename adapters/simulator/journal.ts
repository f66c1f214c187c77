import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { JobSpec } from '../../src/domain/job.ts';
import { readScript, type ScriptBehaviour } from './script.ts';

/** The first line: when the site began to exist and what it was made of. */
export interface JournalOrigin {
  readonly kind: 'origin';
  readonly originAt: EpochSeconds;
  /** The configuration as JSON; another one could not give the same site. */
  readonly configuration: string;
}

/** A job that the site accepted. */
export interface JournalSubmit {
  readonly kind: 'submit';
  readonly at: EpochSeconds;
  readonly key: string;
  readonly nativeId: string;
  readonly name: string;
  readonly queue: string;
  /** That it holds. */
  readonly processors: number;
  /** Absent for none. */
  readonly gpus?: number;
  readonly walltimeSeconds: number;
  readonly behaviour: ScriptBehaviour;
}

/** A job that was waiting or running and was cancelled. */
export interface JournalCancel {
  readonly kind: 'cancel';
  readonly at: EpochSeconds;
  readonly nativeId: string;
}

/** A running job that was told to begin. */
export interface JournalBegin {
  readonly kind: 'begin';
  readonly at: EpochSeconds;
  readonly nativeId: string;
}

export type JournalEntry = JournalSubmit | JournalCancel | JournalBegin;

/**
 * What outsiders did to a simulated site, one JSON object a line, only ever appended to. Everything else about the site
 * follows from its configuration, so replaying these at their moments rebuilds it. A line is on file before its reply
 * is sent; a last line torn by a crash was never replied to and is dropped. It is also the witness of how many native
 * jobs a key became.
 */
export class Journal {
  private constructor(
    readonly path: string,
    readonly origin: JournalOrigin,
    /** What was on file when the journal was opened. */
    readonly entries: readonly JournalEntry[],
  ) {}

  /**
   * Opens `<folder>/<site>.ndjson`, or begins it with `fresh`.
   * @throws Error when the file was begun with another configuration, or holds a line that is no JSON
   */
  static open(folder: string, site: string, fresh: JournalOrigin): Journal {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${site}.ndjson`);
    const lines = existsSync(path) ? readWholeLines(path) : [];
    if (lines.length === 0) {
      appendFileSync(path, `${JSON.stringify(fresh)}\n`, { mode: 0o600 });
      return new Journal(path, fresh, []);
    }
    const [origin, ...entries] = lines as [JournalOrigin, ...JournalEntry[]];
    if (origin.kind !== 'origin' || origin.configuration !== fresh.configuration) {
      throw new Error(
        `${path} was begun with another configuration of the site; remove it or restore the configuration`,
      );
    }
    return new Journal(path, origin, entries);
  }

  append(entry: JournalEntry): void {
    appendFileSync(this.path, `${JSON.stringify(entry)}\n`);
  }
}

/** Parses all lines that end in a newline and cuts off what stands behind the last. */
function readWholeLines(path: string): unknown[] {
  const text = readFileSync(path, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
  return whole
    .split('\n')
    .slice(0, -1)
    .map((line, index) => {
      try {
        return JSON.parse(line) as unknown;
      } catch (error) {
        throw new Error(`${path}, line ${index + 1} is damaged`, { cause: error });
      }
    });
}

/**
 * What is written down of a job that the site accepts.
 * @param held processors that it will hold, which may be more than it asks for
 */
export function submitEntry(
  spec: JobSpec,
  held: number,
  accepted: Pick<JournalSubmit, 'at' | 'key' | 'nativeId' | 'queue'>,
): JournalSubmit {
  const { name, processors, walltimeSeconds, script, resources } = spec;
  const gpus = resources?.gpus === undefined ? {} : { gpus: resources.gpus };
  const size = { processors: held, ...gpus, walltimeSeconds };
  return { kind: 'submit', ...accepted, name, ...size, behaviour: readScript(script, processors) };
}
