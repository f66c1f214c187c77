import type { NamedRequests } from './honours.ts';
import type { MailRequest, SiteTerms } from './resources.ts';

/** What a job asks at one site in particular. What is absent is asked as at every other site. */
export interface SiteChoice extends SiteTerms {
  readonly siteId: string;
  readonly queue?: string;
}

/** What a job asks of the sites beside its size: of all of them, and of some. Nothing unless told. */
export interface SiteRequests extends Omit<NamedRequests, 'resources'> {
  /** Each site once. */
  readonly sites?: readonly SiteChoice[] | undefined;
}

/** What admins have set of the jobs that do not say it themselves. */
export interface SiteDefaults extends SiteTerms {
  readonly queue?: string;
  readonly workFolder?: string;
  readonly mail?: MailRequest;
}

/** A request as far as it says what is asked of a site. */
type Asking = SiteRequests & Pick<NamedRequests, 'resources'> & { readonly queue: string | null };

/** What is asked of one site; a queue of null leaves it to be chosen. */
export type AskedAtSite = NamedRequests & { readonly queue: string | null };

/**
 * What a request asks of one site. What it says of that site goes before what it says of all of them, and that before
 * what admins have set there.
 */
export function askedAt(
  request: Asking,
  { siteId, defaults = {} }: { readonly siteId: string; readonly defaults?: SiteDefaults },
): AskedAtSite {
  const { siteId: _siteId, queue: own, ...terms } = request.sites?.find((choice) => choice.siteId === siteId) ?? {};
  const { queue: usual = null, workFolder: usualFolder, mail: usualMail, ...usualTerms } = defaults;
  const { resources, environment, workFolder = usualFolder, mail = usualMail, staging } = request;
  const all: SiteTerms = { ...usualTerms, ...request.terms, ...terms };
  return {
    queue: own ?? request.queue ?? usual,
    resources,
    ...(Object.keys(all).length > 0 && { terms: all }),
    environment,
    workFolder,
    mail,
    ...(staging && { staging }),
  };
}
