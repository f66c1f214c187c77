/**
 * A time as Grid Engine writes it: seconds, or `hours:minutes:seconds` of which any may be empty; null for INFINITY and
 * for anything else.
 */
export function parseSeconds(text: string): number | null {
  const parts = text.trim().split(':');
  if (parts.length > 3 || parts.some((part) => !/^\d*(\.\d+)?$/.test(part)) || text.trim() === '') return null;
  return parts.reduce((seconds, part) => seconds * 60 + Number(part), 0);
}
