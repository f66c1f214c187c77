/** What the promise comes to, null when that takes too long. What becomes of it afterwards is nobody's business. */
export async function withinTime<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, milliseconds, null);
  });
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
