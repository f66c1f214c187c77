import type { IncomingHttpHeaders } from 'node:http';
import { SESSION_SECONDS } from '../../store/console-passes.ts';

const NAME = 'gridcast_session';

/** The session that a browser sends with its requests; null when it sends none. */
export function sessionOf(headers: IncomingHttpHeaders): string | null {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  const [, value = ''] = pairs.find(([name]) => name === NAME) ?? [];
  return /^gcs_[\w-]{32}$/.test(value) ? value : null;
}

/** A cookie that no script reads and that no other site's page sends. */
export function sessionCookie(session: string, isSecure: boolean): string {
  return cookie(session, SESSION_SECONDS, isSecure);
}

/** The same as one that is gone. */
export function noCookie(isSecure: boolean): string {
  return cookie('', 0, isSecure);
}

function cookie(value: string, seconds: number, isSecure: boolean): string {
  return `${NAME}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}

/**
 * Whether a request comes from a page of this very address, or from no page at all: browsers say in `Origin`, and in
 * `Sec-Fetch-Site`, whose page it was.
 */
export function isOwnPage(headers: IncomingHttpHeaders): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}
