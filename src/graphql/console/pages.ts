import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Express, type RequestHandler, type Response } from 'express';

/** What the pages may do: load from their own address, and nothing written into them. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/** GraphiQL's editor writes its colours and fonts into the page and works in threads of its own. */
const EDITOR_POLICY = POLICY.map((rule) =>
  rule
    .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
    .replace("font-src 'self'", "font-src 'self' data:"),
).concat("worker-src 'self'");

const YEAR_SECONDS = 31_536_000;

/**
 * Serves the built console: its pages at every path that a browser opens by its address, their parts under names that
 * change with their content.
 * @param folder of the build; where there is none, nothing is served but a sentence that says so
 */
export function servePages(app: Express, folder: string): void {
  app.use(
    '/assets',
    harmless(POLICY),
    compressed(join(folder, 'assets')),
    express.static(join(folder, 'assets'), { immutable: true, maxAge: YEAR_SECONDS * 1000, index: false }),
  );
  app.use(
    '/favicon.svg',
    harmless(POLICY),
    express.static(join(folder, 'favicon.svg'), { maxAge: 3_600_000, index: false }),
  );
  app.get('/graphiql', harmless(EDITOR_POLICY), page(folder, 'graphiql.html'));
  app.get(/^\/(?!graphql|console\/|assets\/)/, onlyBrowsers, harmless(POLICY), page(folder, 'index.html'));
}

const ENCODINGS = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
] as const;
const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };

/** Sends what was compressed when it was built, to those that take it; all others get the file itself. */
function compressed(folder: string): RequestHandler {
  const files = existsSync(folder) ? new Set(readdirSync(folder)) : new Set<string>();
  return (request, response, next) => {
    const [, name = '', kind = ''] = /^\/([\w.-]+\.(\w+))$/.exec(request.path) ?? [];
    const type = TYPES[kind];
    if (type === undefined) return next();
    response.vary('accept-encoding');
    const known = ENCODINGS.filter(({ suffix }) => files.has(name + suffix));
    const taken = request.acceptsEncodings(known.map(({ encoding }) => encoding));
    const chosen = known.find(({ encoding }) => encoding === taken);
    if (chosen) {
      response.setHeader('content-encoding', chosen.encoding);
      response.type(type);
      request.url = `/${name}${chosen.suffix}`;
    }
    next();
  };
}

/** Programs that ask for anything but a page are told, as ever, where the API is. */
const onlyBrowsers: RequestHandler = (request, _response, next) => {
  next(/\btext\/html\b/.test(request.get('accept') ?? '') ? undefined : 'route');
};

function harmless(policy: readonly string[]): RequestHandler {
  return (_request, response, next) => {
    response.setHeader('content-security-policy', policy.join('; '));
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('referrer-policy', 'no-referrer');
    response.setHeader('cross-origin-opener-policy', 'same-origin');
    response.setHeader('cross-origin-resource-policy', 'same-origin');
    response.setHeader('x-frame-options', 'DENY');
    next();
  };
}

function page(folder: string, file: string): RequestHandler {
  return (_request, response) => {
    response.setHeader('cache-control', 'no-cache');
    if (existsSync(join(folder, file)))
      response.sendFile(file, { root: folder, lastModified: false, cacheControl: false });
    else sayUnbuilt(response);
  };
}

function sayUnbuilt(response: Response): void {
  response
    .status(404)
    .type('text/plain')
    .send('The console is not built; run `npm run build`. The API is at /graphql.\n');
}
