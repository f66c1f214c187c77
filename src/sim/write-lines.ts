import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

const LINES_PER_CHUNK = 4096;

/** Writes lines to a file, compressed when its name ends in `.gz`, without holding more than a chunk of them. */
export async function writeLines(path: string, lines: Iterable<string>): Promise<void> {
  const source = Readable.from(chunksOf(lines), { objectMode: false });
  const target = createWriteStream(path);
  if (path.endsWith('.gz')) await pipeline(source, createGzip(), target);
  else await pipeline(source, target);
}

function* chunksOf(lines: Iterable<string>): Generator<string> {
  let chunk: string[] = [];
  for (const line of lines) {
    chunk.push(line);
    if (chunk.length < LINES_PER_CHUNK) continue;
    yield `${chunk.join('\n')}\n`;
    chunk = [];
  }
  if (chunk.length > 0) yield `${chunk.join('\n')}\n`;
}
