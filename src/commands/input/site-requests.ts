import { fieldName } from '../../domain/field-name.ts';
import type { MailRequest, SiteTerms } from '../../domain/resources.ts';
import { READ_ONLY_VARIABLES } from '../../domain/shell-variables.ts';
import type { SiteRequests } from '../../domain/site-requests.ts';
import { quoted } from '../../domain/text.ts';
import { checkQueue, type FaultList } from './faults.ts';

/** Adds what is wrong with what a job asks of its sites, whatever these are like. `path` is where it says that. */
export function checkSiteRequests(
  faults: FaultList,
  { sites = [], terms = {}, environment = {}, workFolder, mail }: SiteRequests,
  siteIds: readonly string[],
  path: string,
): void {
  checkSiteTerms(faults, terms, path);
  checkEnvironment(faults, environment, `${path}.environment`);
  if (workFolder !== undefined) checkWorkFolder(faults, workFolder, `${path}.workFolder`);
  if (mail !== undefined) checkMail(faults, mail, `${path}.mail`);
  const seen = new Set<string>();
  for (const [index, { siteId, queue, ...own }] of sites.entries()) {
    const place = `${path}.sites[${index}]`;
    if (queue !== undefined) checkQueue(faults, queue, `${place}.queue`);
    checkSiteTerms(faults, own, place);
    const says = queue !== undefined || Object.keys(own).length > 0;
    faults.require(says, place, 'sites names a site and says nothing of it; give queue, account, qos, siteReservation');
    faults.require(!seen.has(siteId), `${place}.id`, 'sites names a site twice; name each once');
    const isAllowed = siteIds.length === 0 || siteIds.includes(siteId);
    faults.require(isAllowed, `${place}.id`, 'sites names a site that siteIds does not allow; add it there');
    seen.add(siteId);
  }
}

/** Adds what is wrong with who pays and by which arrangements a job runs. */
export function checkSiteTerms(faults: FaultList, terms: SiteTerms, path: string): void {
  for (const [name, value] of Object.entries(terms)) {
    const rule = `${name} begins with a letter or digit and has at most 128 letters, digits and ._:@+-`;
    faults.require(SITE_WORD.test(value), `${path}.${name}`, `${rule}; got ${quoted(value)}`);
  }
}

/** Adds what is wrong with the folder in which a job starts. */
export function checkWorkFolder(faults: FaultList, folder: string, field: string): void {
  const parts = folder.split('/');
  const isPlain = folder.startsWith('/') && folder.length <= LONGEST_FOLDER && !/\p{Cc}/u.test(folder);
  const isDirect = !parts.includes('.') && !parts.includes('..');
  const rule = `${fieldName(field)} is a path from / on of at most ${LONGEST_FOLDER} printable characters without . and ..`;
  faults.require(isPlain && isDirect, field, `${rule}, got ${quoted(folder)}`);
}

/** Adds what is wrong with when a site writes mails, and to whom. */
export function checkMail(faults: FaultList, { address, events }: MailRequest, field: string): void {
  const isAddress = address.length <= LONGEST_ADDRESS && ADDRESS.test(address);
  faults.require(isAddress, `${field}.address`, `address is one mail address, got ${quoted(address)}`);
  faults.require(events.length > 0, `${field}.events`, 'events names none; give BEGIN, END or FAIL, or leave mail out');
  const once = new Set(events).size === events.length;
  faults.require(once, `${field}.events`, 'events names one twice; name each once');
}

function checkEnvironment(faults: FaultList, environment: Readonly<Record<string, string>>, field: string): void {
  const all = Object.entries(environment);
  faults.require(
    all.length <= MOST_VARIABLES,
    field,
    `${all.length} variables, at most ${MOST_VARIABLES} are accepted`,
  );
  for (const [name, value] of all) {
    const rule = 'a variable has a name of at most 128 letters, digits and _, not beginning with a digit or GRIDCAST_';
    faults.require(VARIABLE.test(name), field, `${rule}; got ${quoted(name)}`);
    const taken = `a shell lets nobody set ${READ_ONLY_VARIABLES.join(', ')}; got ${quoted(name)}`;
    faults.require(!READ_ONLY_VARIABLES.includes(name), field, taken);
    faults.require(!value.includes('\0'), field, `variable ${quoted(name)} has a NUL character; it must be text`);
  }
  const bytes = all.reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value), 0);
  const most = `environment has ${bytes} bytes, at most ${MOST_ENVIRONMENT_BYTES} are accepted; put the rest into the script`;
  faults.require(bytes <= MOST_ENVIRONMENT_BYTES, field, most);
}

/** Most variables of one job's environment. */
export const MOST_VARIABLES = 100;
/** Of all of them, names and values. */
export const MOST_ENVIRONMENT_BYTES = 32_768;
const LONGEST_FOLDER = 1024;
const LONGEST_ADDRESS = 254;
const SITE_WORD = /^[A-Za-z0-9_][A-Za-z0-9._:@+-]{0,127}$/;
const VARIABLE = /^(?!GRIDCAST_)[A-Za-z_][A-Za-z0-9_]{0,127}$/;
const ADDRESS = /^[A-Za-z0-9_][A-Za-z0-9._+=-]*@[A-Za-z0-9][A-Za-z0-9.-]*$/;
