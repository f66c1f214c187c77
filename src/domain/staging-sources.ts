import { INDEX_PLACE } from './staging.ts';

/** The folders of a site out of which files may be copied to jobs, as its configuration says; none unless it does. */
export function stagingSourcesOf(configuration: unknown): string[] {
  const { stagingSources } = (configuration ?? {}) as { stagingSources?: unknown };
  return Array.isArray(stagingSources) ? stagingSources.map((source) => asFolder(String(source))) : [];
}

/** A path without slashes at its end, as which a folder is compared; of `/` nothing is left. */
export function asFolder(path: string): string {
  return path.replace(/\/+$/, '');
}

/** Whether a path at a site leads below one of these folders by its name; for some index where one stands in it. */
export function isBelowSource(path: string, sources: readonly string[]): boolean {
  const [head = ''] = path.split(INDEX_PLACE);
  return sources.some((source) => {
    return (
      path.startsWith(`${source}/`) || (head !== path && (head.startsWith(`${source}/`) || source.startsWith(head)))
    );
  });
}
