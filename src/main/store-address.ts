import { z } from 'zod';

/**
 * Address of a store, as its client will read it. A sign of the password that means something in an address cuts it off
 * there, and another host would be asked.
 * @param example of such an address
 */
export function storeAddress(protocol: RegExp, example: string) {
  return z.string().superRefine((text, context) => {
    const why = whyNoAddress(text, protocol);
    if (why !== null) context.addIssue({ code: 'custom', message: `${why}; it is written as ${example}` });
  });
}

function whyNoAddress(text: string, protocol: RegExp): string | null {
  if (!URL.canParse(text)) return `is no address, or its port is above 65535; ${ESCAPES}`;
  const { protocol: begins, username, password, pathname, hash } = new URL(text);
  if (!protocol.test(begins)) return `must not begin with ${begins}`;
  if (hash !== '' || pathname.includes('@')) return `has # behind its host, or @ behind its name; ${ESCAPES}`;
  return [username, password, pathname].every(isWritten) ? null : `has % alone; ${ESCAPES}`;
}

/** Whether every % in it begins a sign. */
function isWritten(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

const ESCAPES = 'in a password write # as %23, % as %25, / as %2F, ? as %3F, @ as %40';
