/** What Perl, `locale` and shells say where the caller's language is not installed; the program goes on. */
const WARNING = new RegExp(
  [
    String.raw`^perl: warning: |^\s+(?:LANGUAGE|LANG|LC_[A-Z]+) = .*|^\s+are supported and installed on your system\.`,
    String.raw`\bsetlocale: LC_\w+: cannot change locale|^locale: Cannot set LC_\w+ to default locale`,
  ].join('|'),
);

/** What a program said on its standard error, without the warnings about languages that stand before it. */
export function withoutLocaleWarnings(stderr: string): string {
  if (!/locale/.test(stderr)) return stderr;
  const lines = stderr.split('\n');
  return lines.filter((line) => !WARNING.test(line)).join('\n');
}
