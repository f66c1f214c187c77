import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A file of the server. */
export interface ServedFile {
  bytes: Uint8Array;
  /** Null for a server that tells nothing of what it has. */
  etag?: string | null;
  /** Whether parts of it can be had; they can unless told. */
  ranges?: boolean;
  /** In place of an answer. */
  status?: number;
  location?: string;
  /** Connections break after so many bytes of it, one each, then they do not any more. */
  breaks?: number[];
  /** Whether its size is told; it is unless told. */
  hasLength?: boolean;
}

/** An HTTP server of files, whose connections break as told: object storage as callers have it. */
export class FileServer {
  readonly files = new Map<string, ServedFile>();
  /** What was asked: method, path with its query, and range. */
  readonly asked: string[] = [];
  /** What was PUT by path. */
  readonly taken = new Map<string, Buffer>();
  private readonly server = createServer((request, response) => {
    this.answer(request, response).catch(() => response.destroy());
  });

  async start(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** The address of a file, signed as callers sign theirs. */
  url(path: string): string {
    return `http://127.0.0.1:${this.port}/${path}?signature=SECRET`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    this.asked.push([method, url, headers.range ?? []].flat().join(' '));
    const path = new URL(url, 'http://here').pathname.slice(1);
    const file = this.files.get(path);
    if (file?.status !== undefined) {
      response.writeHead(file.status, file.location === undefined ? {} : { location: file.location }).end('no');
      return;
    }
    if (method === 'PUT') return this.take(path, file, request, response);
    if (!file) {
      response.writeHead(404).end('SECRET');
      return;
    }
    send(file, headers.range, response);
  }

  private async take(
    path: string,
    file: ServedFile | undefined,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const parts: Buffer[] = [];
    const breakAfter = file?.breaks?.shift() ?? Number.POSITIVE_INFINITY;
    let length = 0;
    for await (const part of request as AsyncIterable<Buffer>) {
      parts.push(part);
      length += part.length;
      if (length < breakAfter) continue;
      request.socket.destroy();
      return;
    }
    this.taken.set(path, Buffer.concat(parts));
    response.writeHead(201).end();
  }
}

function send(file: ServedFile, range: string | undefined, response: ServerResponse): void {
  const { bytes, ranges = true, hasLength = true } = file;
  const etag = file.etag === undefined ? `"${createHash('sha1').update(bytes).digest('hex')}"` : file.etag;
  const from = ranges ? Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? Number.NaN) : Number.NaN;
  if (from >= bytes.length && from > 0) {
    response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
    return;
  }
  const part = Number.isNaN(from) ? bytes : bytes.subarray(from);
  const told = Number.isNaN(from) ? {} : { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
  const length = hasLength ? { 'content-length': String(part.length) } : {};
  response.writeHead(Number.isNaN(from) ? 200 : 206, { ...told, ...length, ...(etag === null ? {} : { etag }) });
  const breakAfter = file.breaks?.shift();
  if (breakAfter === undefined || breakAfter >= part.length) response.end(part);
  else response.write(part.subarray(0, breakAfter), () => setImmediate(() => response.destroy()));
}
