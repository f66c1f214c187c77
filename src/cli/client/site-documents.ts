const DEFAULTS = 'tenant queue account qos siteReservation workFolder mail { address events }';

/** What is asked about what holds at a site for tenants. */
export const SITE_DOCUMENTS = {
  defaults: `query Defaults($id: ID!) { site(id: $id) { defaults { ${DEFAULTS} } } }`,
  allDefaults: `query AllDefaults($id: ID!) { site(id: $id) { setDefaults { ${DEFAULTS} } } }`,
  setSiteDefaults: `mutation SetSiteDefaults($input: SiteDefaultsInput!) {
    setSiteDefaults(input: $input) { site { name } userErrors { code field message } }
  }`,
  identities: `query Identities($id: ID!) {
    site(id: $id) { identityRule identities { tenant user checkedAt fault } }
  }`,
} as const;
