import { useEffect, useState } from 'react';

/** The value once it has stayed the same for a while, so that nothing is asked for every key that is pressed. */
export function useSettled<Value>(value: Value, milliseconds: number): Value {
  const [settled, setSettled] = useState(value);
  const key = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [key, milliseconds]);
  return settled;
}
