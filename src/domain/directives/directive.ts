import type { LicenceRequest, MailRequest } from '../resources.ts';

/** Batch systems whose directive lines are read. */
export const DIRECTIVE_SYSTEMS = ['SLURM', 'PBS', 'GRID_ENGINE', 'OAR'] as const;
export type DirectiveSystem = (typeof DIRECTIVE_SYSTEMS)[number];

/** What one option can ask for. What a job asks for follows from all of them together: see `requestOf`. */
export interface DirectiveWishes {
  readonly name: string;
  readonly queue: string;
  readonly processors: number;
  readonly walltimeSeconds: number;
  readonly nodes: number;
  readonly tasks: number;
  readonly tasksPerNode: number;
  readonly processorsPerTask: number;
  readonly memoryPerNodeMebibytes: number;
  readonly memoryPerProcessorMebibytes: number;
  /** In all, over all of its nodes. */
  readonly memoryMebibytes: number;
  readonly gpus: number;
  readonly gpusPerNode: number;
  readonly gpusPerTask: number;
  readonly gpuKind: string;
  readonly constraints: readonly string[];
  readonly exclusive: boolean;
  readonly licences: readonly LicenceRequest[];
  readonly tmpPerNodeMebibytes: number;
  readonly account: string;
  readonly qos: string;
  readonly siteReservation: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly workFolder: string;
  readonly mailAddress: string;
  readonly mailEvents: MailRequest['events'];
}
export type WishName = keyof DirectiveWishes;

/** One thing that an option asks for. */
export type Wish = {
  readonly [Name in WishName]: { readonly of: Name; readonly value: DirectiveWishes[Name] };
}[WishName];

/** One option of a directive line, or the line itself where no option can be read out of it. */
export interface Directive {
  /** Of the script, from 1 on. */
  readonly line: number;
  readonly system: DirectiveSystem;
  /** As it stands in the script, cut. */
  readonly text: string;
  /** In a few words; empty where nothing is known of it. */
  readonly meaning: string;
  /** Null where it has no typed request, or its value none. */
  readonly wish: Wish | null;
  /** Why it cannot be honoured; null where it can. */
  readonly warning: string | null;
}

/** What a table makes of one option and its value. */
export type OptionReading = Pick<Directive, 'meaning' | 'wish' | 'warning'>;

/** How an option is written, and what it means. */
export interface OptionEntry {
  /** With their dashes. */
  readonly names: readonly string[];
  readonly takes: 'NOTHING' | 'VALUE' | 'TWO' | 'PERHAPS';
  /** One option can ask for several things. `value` is empty for one that has none. */
  readonly read: (value: string) => readonly OptionReading[];
}

/** How directive lines of a system look, and what their options mean. */
export interface DirectiveTable {
  readonly system: DirectiveSystem;
  /** What its lines begin with. */
  readonly prefix: string;
  /** As people call the program that reads them. */
  readonly program: string;
  /** Whether it reads none after the first command. */
  readonly stopsAtCommand: boolean;
  /** Whether a line is one option and the rest of it the value, quotes and all. */
  readonly oneOptionPerLine: boolean;
  readonly options: readonly OptionEntry[];
}
