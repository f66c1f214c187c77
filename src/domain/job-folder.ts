/**
 * What is done in the folder of a job at its site. Each can be asked again and does the same then. `path` is below the
 * folder, see `isPathBelow`; `from` a path from / on at the site, which its configuration must allow.
 *
 * `MAKE` the folder. `LOOK` how large a file is, and the SHA-256 of its first so many bytes. `WRITE` bytes at an
 * offset, behind which nothing stays; those before it must be there. `COPY` the same out of another file at the site.
 * `READ` bytes. `REMOVE` the folder with all that is in it.
 */
export type FolderRequest =
  | { readonly verb: 'MAKE'; readonly name: string }
  | {
      readonly verb: 'LOOK';
      readonly name: string;
      readonly path: string;
      /** In place of the file in the folder. */
      readonly from?: string;
      /** To be hashed; 0 for none. */
      readonly bytes: number;
    }
  | {
      readonly verb: 'WRITE';
      readonly name: string;
      readonly path: string;
      readonly offset: number;
      readonly bytes: Uint8Array;
    }
  | {
      readonly verb: 'COPY';
      readonly name: string;
      readonly path: string;
      readonly from: string;
      readonly offset: number;
      readonly limit: number;
    }
  | {
      readonly verb: 'READ';
      readonly name: string;
      readonly path: string;
      readonly offset: number;
      readonly limit: number;
    }
  | { readonly verb: 'REMOVE'; readonly name: string };

/**
 * What a site says of it. `ABSENT` there is no such file. `REFUSED` something is in its place that must not be used.
 * `DENIED` the account may not read it.
 * `SHORT` fewer bytes are there than the offset says, and nothing was written. `FULL` there is no room.
 */
export type FolderAnswer =
  | { readonly said: 'FOLDER' /** From / on. */; readonly folder: string }
  | {
      readonly said: 'FILE';
      readonly sizeBytes: number;
      /** Null where none was asked for, or the file is shorter. */
      readonly sha256: string | null;
      /** Of the file that is copied: its size, and what changes with it. */
      readonly source?: { readonly sizeBytes: number; readonly version: string };
    }
  | { readonly said: 'PIECE'; readonly sizeBytes: number; readonly bytes: Uint8Array }
  | { readonly said: 'REMOVED' | 'ABSENT' | 'REFUSED' | 'DENIED' | 'SHORT' | 'FULL' };

/** So much is written or read by one request at most. */
export const MAX_PIECE_BYTES = 8 << 20;

/** So much is copied by one request at most. */
export const MAX_COPY_BYTES = 256 << 20;

/** The name of a folder, of which every site makes a path. */
export const FOLDER_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
