import { type ApiContext, renewLoaders } from '../context.ts';
import { Site } from './site.type.ts';

/** The site as it is after a mutation. */
export async function sitePayload(context: ApiContext, { siteId }: { siteId: string }): Promise<{ site: Site | null }> {
  renewLoaders(context);
  const row = await context.loaders.site.load(siteId);
  return { site: row && new Site(row) };
}
