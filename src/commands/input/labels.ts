import { LABEL_NAME, type Label, LONGEST_LABEL_VALUE, labelText, MOST_LABELS } from '../../domain/label.ts';
import type { RetryPolicy } from '../../domain/retry.ts';
import { countCharacters, quoted } from '../../domain/text.ts';
import type { NewExecution } from '../../store/executions.ts';
import type { Limits } from '../carry-out/context.ts';
import { type FaultList } from './faults.ts';
import { checkRetry, type RetriedInput } from './retry-input.ts';

/** By what a job is found, and when it is run again. */
export interface FoundInput {
  /** None unless told. */
  readonly labels?: readonly Label[];
  /** Never unless told. */
  readonly retry?: RetryPolicy;
}

/** Adds what is wrong with a job's labels and its retry policy. */
export function checkFound(faults: FaultList, input: FoundInput & RetriedInput, limits: Limits): void {
  checkRetry(faults, input, limits);
  checkLabels(faults, input.labels ?? [], 'input.labels');
}

/** Adds what is wrong with labels. `path` is where they sit in the input. */
function checkLabels(faults: FaultList, labels: readonly Label[], path: string): void {
  const many = `${labels.length} labels, at most ${MOST_LABELS} are accepted; leave some out`;
  faults.require(labels.length <= MOST_LABELS, path, many);
  const seen = new Set<string>();
  for (const [index, { name, value }] of labels.slice(0, MOST_LABELS).entries()) {
    const at = `${path}[${index}]`;
    const named = `name must be 1 to 63 letters, digits and ._/- with a letter or digit first, got ${quoted(name)}`;
    faults.require(LABEL_NAME.test(name), `${at}.name`, named);
    const valid = countCharacters(value) <= LONGEST_LABEL_VALUE && !/\p{Cc}|\p{Surrogate}/u.test(value);
    const said = `value must have at most ${LONGEST_LABEL_VALUE} printable characters, got ${quoted(value)}`;
    faults.require(valid, `${at}.value`, said);
    faults.require(!seen.has(name), `${at}.name`, `there are two labels ${quoted(name)}; name each once`);
    seen.add(name);
  }
}

/** By what a job is found later on. */
export function foundBy({
  labels = [],
  idempotencyKey,
}: {
  readonly labels?: readonly Label[];
  readonly idempotencyKey: string | null;
}): Pick<NewExecution, 'labels' | 'idempotencyKey'> {
  return { labels: labels.map(labelText), idempotencyKey };
}
