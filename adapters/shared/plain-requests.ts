import { Rejected } from '../../src/domain/failures.ts';
import { whatIsNotHonoured } from '../../src/domain/honours.ts';
import type { JobSpec } from '../../src/domain/job.ts';
import type { RequestName } from '../../src/domain/resources.ts';

/**
 * Refuses what a site does not honour, and names that its system would read more into than a name.
 * @param system as people call it
 * @throws Rejected naming the request; nothing has happened
 */
export function assertHonoured(spec: JobSpec, honours: readonly RequestName[], system: string): void {
  const [missing] = whatIsNotHonoured(spec, honours);
  if (missing !== undefined) throw new Rejected(`${system} does not honour ${missing} here; leave it out`);
  const { resources = {}, terms = {}, workFolder, mail } = spec;
  const names: [field: string, text: string | undefined][] = [
    ['gpuKind', resources.gpuKind],
    ...(resources.constraints ?? []).map((text): [string, string] => ['constraints', text]),
    ...(resources.licences ?? []).map(({ name }): [string, string] => ['licences', name]),
    ['account', terms.account],
    ['qos', terms.qos],
    ['siteReservation', terms.siteReservation],
  ];
  for (const [field, text] of names) {
    if (text !== undefined && !PLAIN_NAME.test(text)) {
      throw new Rejected(`${field} is ${quote(text)}; to ${system} a name is of letters, digits and ._:- alone`);
    }
  }
  if (workFolder !== undefined && !workFolder.startsWith('/')) {
    throw new Rejected(`workFolder is ${quote(workFolder)}; give an absolute path`);
  }
  if (mail && !MAIL_ADDRESS.test(mail.address)) {
    throw new Rejected(`mail.address is ${quote(mail.address)}, which is not an address that ${system} can write to`);
  }
}

/**
 * What each of so many equal parts has of an amount.
 * @throws Rejected naming the request where it cannot be shared evenly
 */
export function shareEvenly(amount: number, parts: number, request: RequestName, of: string): number {
  if (amount % parts === 0) return amount / parts;
  throw new Rejected(`${request}: ${amount} cannot be shared evenly among ${parts} ${of}; ask for a multiple`);
}

/** The name of a property, feature or resource, that stands in a request or condition as it is. */
export function assertIdentifier(name: string, request: RequestName, system: string): void {
  if (/^[A-Za-z_]\w{0,63}$/.test(name)) return;
  throw new Rejected(`${request}: ${quote(name)} is no name of a resource of ${system}; letters, digits and _ are`);
}

const PLAIN_NAME = /^[A-Za-z0-9_][\w.:-]{0,127}$/;
const MAIL_ADDRESS = /^[A-Za-z0-9_+][\w.+-]*@[A-Za-z0-9][A-Za-z0-9.-]*$/;
const LONGEST_QUOTE = 80;

function quote(text: string): string {
  return JSON.stringify(text.slice(0, LONGEST_QUOTE));
}
