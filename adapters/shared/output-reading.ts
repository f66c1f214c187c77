/**
 * Reads pieces of files at a site, in POSIX sh with `stat`, `tail`, `head` and `base64` of GNU or BusyBox. Its words
 * are the folder that the jobs' folders are in (`~/` is the account's home), then for every piece the job's folder, the
 * file in it, the number of the first byte counted from 1, and how many bytes at most. It answers every piece with a
 * line: `ABSENT`, `REFUSED`, or `FOUND`, the file's size and the bytes in base64.
 *
 * Only what a job of ours was given is read: the job's folder must lie where it is named, the file must be a regular
 * one, of the folder's owner, with no other name, and no link. All but the first is asked of the file that is open, so
 * nobody gains by changing names meanwhile.
 */
export const READ_PIECES = `base=$1
shift
case $base in
'~/'*)
  home=\${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}
  base=$home/\${base#??} ;;
esac
piece() {
  cd -P "$1" 2>/dev/null || { echo ABSENT; return; }
  [ "$(pwd -P)" = "$root/$1" ] || return 1
  [ -e "$2" ] || [ -L "$2" ] || { echo ABSENT; return; }
  [ -f "$2" ] && [ ! -L "$2" ] || return 1
  exec 3< "./$2" || return 1
  set -- $(stat -L -c '%d:%i %f %h %u %s' /dev/fd/3) "$(stat -c '%d:%i' "./$2")" "$(stat -c %u .)" "$3" "$4"
  [ $# = 9 ] && [ "$1" = "$6" ] && [ "$3" = 1 ] && [ "$4" = "$7" ] || return 1
  case $2 in 8???) ;; *) return 1 ;; esac
  printf 'FOUND %s ' "$5"
  tail -c "+$8" <&3 | head -c "$9" | base64 | tr -d '\\n'
  echo
}
root=$(cd -P "$base" 2>/dev/null && pwd -P) || root=
while [ $# -ge 4 ]; do
  if [ -z "$root" ]; then echo ABSENT; else (cd -P "$root" && piece "$1" "$2" "$3" "$4") 2>/dev/null || echo REFUSED; fi
  shift 4
done
`;

/** One answer of `READ_PIECES`. */
export type ReadPiece =
  | { readonly found: 'ABSENT' }
  | { readonly found: 'REFUSED' }
  | { readonly found: 'FOUND'; readonly bytes: Uint8Array; readonly sizeBytes: number };

/**
 * What `READ_PIECES` says of as many pieces.
 * @throws Error when that cannot be read
 */
export function parsePieces(text: string, count: number): ReadPiece[] {
  const lines = text.split('\n').slice(0, -1);
  if (lines.length !== count) throw new Error(`${lines.length} answers about ${count} pieces`);
  return lines.map((line) => {
    if (line === 'ABSENT' || line === 'REFUSED') return { found: line };
    const [, size, base64] = /^FOUND (\d{1,16}) ([A-Za-z0-9+/]*={0,2})$/.exec(line) ?? [];
    if (size === undefined || base64 === undefined) throw new Error('an answer that is none');
    return { found: 'FOUND', bytes: Buffer.from(base64, 'base64'), sizeBytes: Number(size) };
  });
}
