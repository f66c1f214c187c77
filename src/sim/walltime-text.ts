/** Seconds of `[days-]hours:minutes:seconds`, `minutes:seconds` or plain seconds; null when it is none of them. */
export function parseWalltime(value: string): number | null {
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  const parts = /^(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+)(?:\.\d+)?$/.exec(value);
  if (!parts) return null;
  const [days, hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
  ];
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}
