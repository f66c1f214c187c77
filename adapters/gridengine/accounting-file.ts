import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { Command } from '../shared/command.ts';

/**
 * Which lines of the accounting file are wanted: those of one name, those of some jobs, or those of what ended from a
 * moment on.
 */
export type AccountingSelection =
  | { readonly name: string; readonly writtenSince: EpochSeconds }
  | { readonly numbers: readonly string[]; readonly writtenSince: EpochSeconds }
  | { readonly endedSince: EpochSeconds; readonly overlapSeconds: number; readonly maxLines: number };

/** Ends an answer that holds all there is; without it the file, or the connection, broke off. */
const END = '# gridcast end';
/** Ends an answer after which there is more. */
const MORE = '# gridcast more';

/** Stands behind each file, on the line that has no end yet, if there is one. */
const END_OF_FILE = '# gridcast file';

/**
 * Prints the accounting file with what was rotated out of it since a moment (`accounting.0`, `accounting.1.gz`, ... as
 * Grid Engine's logchecker.sh and logrotate name them), oldest first. No file yet is no accounting yet; a folder that
 * cannot be read is a failure.
 */
const PRINT_FILES = `
file=\${SGE_ROOT:?is not set}/\${SGE_CELL:-default}/common/accounting
folder=\${file%/*}
ls "$folder" > /dev/null || exit 2
print() {
  find "$folder" -maxdepth 1 -name 'accounting.*' -newermt "@$1" -printf '%T@ %p\\n' | sort -n | cut -d ' ' -f 2- |
    while IFS= read -r old; do gzip -cdf -- "$old" || exit 2; echo '${END_OF_FILE}'; done || return 2
  [ ! -e "$file" ] || { cat -- "$file" && echo '${END_OF_FILE}'; } || return 2
  echo '${END}'
}`.trim();

/**
 * Of the lines only records that are whole. A record that was torn, as by a full disk or a crash of the master, has no
 * end, or the next one stands behind it on its line: then that one is taken, from where its figures fit, and its queue
 * is one that other lines name. Where not a single line is whole the form is another one, and the first is shown.
 */
const ONLY_RECORDS = `awk -F: '
  function isRecord(from, n) {
    if ($(from + 5) !~ /^[0-9]+$/) return 0
    for (n = 7; n < 31; n++) if ($(from + n) !~ /^[-+.0-9e]+$/) return 0
    return 1
  }
  function takeLast(from, line, n, name, queue) {
    for (from = NF - 44; from > 1 && !isRecord(from); from--);
    if (from == 1) return
    for (name in queues) {
      if (length(name) > length(queue) && substr($from, length($from) - length(name) + 1) == name) queue = name
    }
    line = queue == "" ? $from : queue
    for (n = from + 1; n <= NF; n++) line = line ":" $n
    $0 = line
  }
  $0 == "${END}" { if (!whole && short != "") print short; print; exit }
  /${END_OF_FILE}$/ || /^#/ { next }
  NF < 45 { if (short == "") short = $0; next }
  NF > 45 { takeLast() }
  { whole = 1; queues[$1]; print }'`;

/** \`$2\` the job name, or the job numbers between commas; \`$3\` the field they are compared with. */
const SELECT_JOBS = `${PRINT_FILES}
print "$1" | ${ONLY_RECORDS} | awk -F: -v wanted="$2" -v field="$3" '
  BEGIN { count = split(wanted, names, ","); for (i = 1; i <= count; i++) isWanted[names[i]] = 1 }
  $field in isWanted || NF < 45'`;

/**
 * \`$1\` where reading begins, \`$2\` the moment up to which everything was seen, \`$3\` how many lines make a page. A
 * line may be written long after its job's end, behind the lines of later ends. So everything counts that stands behind
 * the first line that is new enough. A page ends only where it has come beyond what was seen.
 */
const SELECT_ENDED = `${PRINT_FILES}
print "$1" | ${ONLY_RECORDS} | awk -F: -v from="$1" -v seen="$2" -v most="$3" '
  NF < 45 { print; next }
  !isOn && $11 + 0 >= from + 0 { isOn = 1 }
  isOn {
    print
    lines++
    if ($11 + 0 > latest) latest = $11 + 0
    if (lines >= most && latest > seen + 0) { print "${MORE}"; exit }
  }'`;

/** The command for a selection. Its program is fixed; what is looked for are its arguments. */
export function accountingCommand(selection: AccountingSelection): Command {
  if ('endedSince' in selection) {
    const { endedSince, overlapSeconds, maxLines } = selection;
    const from = Math.max(0, Math.floor(endedSince - overlapSeconds));
    return shell(SELECT_ENDED, String(from), String(Math.floor(endedSince)), String(maxLines));
  }
  const since = String(Math.max(0, Math.floor(selection.writtenSince)));
  if ('name' in selection) return shell(SELECT_JOBS, since, selection.name, String(NAME_FIELD));
  return shell(SELECT_JOBS, since, selection.numbers.join(','), String(NUMBER_FIELD));
}

const NAME_FIELD = 5;
const NUMBER_FIELD = 6;

function shell(program: string, ...words: readonly string[]): Command {
  return { argv: ['sh', '-c', program, 'gridcast-accounting', ...words] };
}

/**
 * Takes the end mark off what the command printed.
 * @throws Error when there is none: the answer is not whole
 */
export function readAccountingPage(text: string): { lines: string; isWhole: boolean } {
  for (const mark of [END, MORE]) {
    if (text.endsWith(`${mark}\n`)) return { lines: text.slice(0, -mark.length - 1), isWhole: mark === END };
  }
  throw new Error('the accounting file broke off');
}
