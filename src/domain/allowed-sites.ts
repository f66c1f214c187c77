/** The sites that a caller lets take its work. */
export interface AllowedSites {
  /** Empty means every site. */
  readonly allowedSiteIds: readonly string[];
  readonly excludedSiteIds: readonly string[];
}

/** Whether its caller lets a site take the work. */
export function isAllowed({ allowedSiteIds, excludedSiteIds }: AllowedSites, siteId: string): boolean {
  return (allowedSiteIds.length === 0 || allowedSiteIds.includes(siteId)) && !excludedSiteIds.includes(siteId);
}
