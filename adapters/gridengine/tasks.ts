/** An array may have a million tasks; so many of its waiting ones are enough to know that the queue is long. */
const MAX_TASKS = 1000;

/** Numbers of the tasks in a list such as `1`, `15-40:1` or `1,3-9:2`, at most a thousand of them. */
export function taskNumbers(list: string): number[] {
  const numbers: number[] = [];
  for (const part of list.split(',')) {
    const [, first = '', last = first, step = '1'] = /^(\d+)(?:-(\d+))?(?::(\d+))?$/.exec(part.trim()) ?? [];
    if (first === '') continue;
    for (
      let task = Number(first);
      task <= Number(last) && numbers.length < MAX_TASKS;
      task += Math.max(1, Number(step))
    ) {
      numbers.push(task);
    }
  }
  return numbers;
}
