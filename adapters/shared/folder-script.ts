import type { FolderAnswer } from '../../src/domain/job-folder.ts';

/**
 * Works in the folder of a job, in POSIX sh with `stat`, `truncate`, `sha256sum`, `tail`, `head`, `base64` and
 * `readlink` of GNU or BusyBox, on Linux. Its words are the folder that the jobs' folders are in (`~/` is the account's
 * home), the verb, the folder's name, the path below it, an offset, a count of bytes, a path from / on that is read
 * from (empty for none), and the folders below which that must lie. What is written comes by standard input.
 *
 * No part of a path may be a link, and a file must be a regular one of the folder's owner with no other name. That is
 * asked of the file that is open.
 */
export const FOLDER_SCRIPT = `base=$1 verb=$2 name=$3 path=$4 offset=$5 count=$6 from=$7
shift 7
umask 077
LC_ALL=C
export LC_ALL
case $base in
'~/'*)
  home=\${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}
  base=$home/\${base#??} ;;
esac
say() { printf '%s\\n' "$*"; exit 0; }
if [ "$verb" = MAKE ]; then mkdir -p "$base" || exit 1; fi
root=$(cd -P "$base" 2>/dev/null && pwd -P) || say ABSENT
cd -P "$root" || exit 1
case $verb in
MAKE)
  [ -d "$name" ] || mkdir "$name" || exit 1
  cd -P "$name" && [ "$(pwd -P)" = "$root/$name" ] && [ "$(stat -c %u .)" = "$(id -u)" ] || say REFUSED
  chmod 700 . || exit 1
  say FOLDER "$root/$name" ;;
REMOVE)
  [ ! -L "$name" ] || say REFUSED
  [ -e "$name" ] || say REMOVED
  rm -rf "./$name" 2>/dev/null || { chmod -R u+rwx "./$name" 2>/dev/null; rm -rf "./$name" || exit 1; }
  say REMOVED ;;
esac
version() { stat -L -c '%s %d:%i:%Y' /dev/fd/4; }
source_of() {
  named=
  for allowed in "$@"; do case $from in "$allowed"/*) named=1 ;; esac; done
  [ -n "$named" ] || say REFUSED
  [ -e "$from" ] || say ABSENT
  [ -f "$from" ] || say REFUSED
  [ -r "$from" ] || say DENIED
  exec 4< "$from" || exit 1
  real=$(readlink "/proc/$$/fd/4") || exit 1
  case $(stat -L -c %f /dev/fd/4) in 8???) ;; *) say REFUSED ;; esac
  for allowed in "$@"; do
    below=$(cd -P "$allowed/" 2>/dev/null && pwd -P) || continue
    case $real in "\${below%/}"/*) return ;; esac
  done
  say REFUSED
}
[ -z "$from" ] || source_of "$@"
if [ "$verb" = LOOK ] && [ -n "$from" ]; then
  set -- $(version)
  sum=-
  [ "$count" = 0 ] || [ "$1" -lt "$count" ] || sum=$(head -c "$count" <&4 | sha256sum | cut -d ' ' -f 1)
  say FILE "$1" "$sum" "$1" "$2"
fi
cd -P "$name" 2>/dev/null || say ABSENT
here=$root/$name rest=$path
[ "$(pwd -P)" = "$here" ] || say REFUSED
while :; do
  case $rest in */*) ;; *) break ;; esac
  part=\${rest%%/*}
  rest=\${rest#*/}
  here=$here/$part
  if [ "$verb" = WRITE ] || [ "$verb" = COPY ]; then [ -d "./$part" ] || mkdir "./$part" 2>/dev/null || say REFUSED; fi
  [ -e "./$part" ] || [ -L "./$part" ] || say ABSENT
  cd -P "./$part" 2>/dev/null && [ "$(pwd -P)" = "$here" ] || say REFUSED
done
file=./$rest
if [ "$verb" = WRITE ] || [ "$verb" = COPY ]; then
  [ -e "$file" ] || [ -L "$file" ] || [ "$offset" != 0 ] || (set -C; : > "$file") || exit 1
fi
[ -e "$file" ] || [ -L "$file" ] || say ABSENT
[ -f "$file" ] && [ ! -L "$file" ] || say REFUSED
[ -r "$file" ] || say DENIED
if [ "$verb" = WRITE ] || [ "$verb" = COPY ]; then
  [ -w "$file" ] || say REFUSED
  exec 3>> "$file"
else
  exec 3< "$file"
fi
is_plain() {
  set -- $(stat -L -c '%d:%i %f %h %u' /dev/fd/3) "$(stat -c '%d:%i' "$file")" "$(stat -c %u .)"
  [ $# = 6 ] && [ "$1" = "$5" ] && [ "$3" = 1 ] && [ "$4" = "$6" ] || return 1
  case $2 in 8???) ;; *) return 1 ;; esac
}
is_plain || say REFUSED
size=$(stat -L -c %s /dev/fd/3)
case $verb in
LOOK)
  sum=-
  if [ "$count" != 0 ] && [ "$size" -ge "$count" ]; then
    sum=$(head -c "$count" <&3 | sha256sum | cut -d ' ' -f 1)
  fi
  say FILE "$size" "$sum" ;;
READ)
  printf 'PIECE %s ' "$size"
  tail -c "+$((offset + 1))" <&3 | head -c "$count" | base64 | tr -d '\\n'
  echo
  exit 0 ;;
esac
[ "$size" -ge "$offset" ] || say SHORT
[ "$size" -eq "$offset" ] || truncate -s "$offset" "$file" || exit 1
if [ "$verb" = WRITE ]; then
  said=$(cat 2>&1 >&3)
  want=$((offset + count))
else
  set -- $(version)
  want=$((offset + count))
  [ "$want" -le "$1" ] || want=$1
  said=$({ tail -c "+$((offset + 1))" <&4 | head -c "$count" >&3; } 2>&1)
fi
size=$(stat -L -c %s /dev/fd/3)
if [ "$size" -ne "$want" ]; then
  truncate -s "$offset" "$file"
  case $said in *'No space left'*|*'quota exceeded'*|*'File too large'*) say FULL ;; esac
  say SHORT
fi
if [ "$verb" = WRITE ]; then say FILE "$size" -; fi
say FILE "$size" - $(version)
`;

const WORDS = ['REMOVED', 'ABSENT', 'REFUSED', 'DENIED', 'SHORT', 'FULL'] as const;

/**
 * What `FOLDER_SCRIPT` says.
 * @throws Error when that cannot be read
 */
export function parseFolderAnswer(text: string): FolderAnswer {
  const line = text.endsWith('\n') ? text.slice(0, -1) : '';
  const word = WORDS.find((known) => known === line);
  if (word) return { said: word };
  const folder = /^FOLDER (\/[^\n]+)$/.exec(line)?.[1];
  if (folder !== undefined) return { said: 'FOLDER', folder };
  const piece = /^PIECE (\d{1,16}) ([A-Za-z0-9+/]*={0,2})$/.exec(line);
  if (piece) return { said: 'PIECE', sizeBytes: Number(piece[1]), bytes: Buffer.from(piece[2] ?? '', 'base64') };
  const file = /^FILE (\d{1,16}) (-|[0-9a-f]{64})(?: (\d{1,16}) ([\w:.]{1,100}))?$/.exec(line);
  if (!file) throw new Error('an answer that is none');
  const [, size, sum, sourceSize, version] = file;
  return {
    said: 'FILE',
    sizeBytes: Number(size),
    sha256: sum === '-' ? null : (sum ?? null),
    ...(version !== undefined && { source: { sizeBytes: Number(sourceSize), version } }),
  };
}
