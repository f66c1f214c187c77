import { useEffect, useMemo, useState } from 'react';

/**
 * The value once it has stayed the same for a while, so that nothing is asked for every key that is pressed. Values are
 * the same whose JSON is.
 */
export function useSettled<Value>(value: Value, milliseconds: number): Value {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), milliseconds);
    return () => clearTimeout(timer);
  }, [text, milliseconds]);
  return useMemo(() => JSON.parse(settled) as Value, [settled]);
}
