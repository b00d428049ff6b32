import { useCallback, useEffect, useState } from "react";

/** All items of a listing. */
export async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The answer of a call; it is called again when its key changes, and by `reload`. */
export function useQuery<Answer>(key: string, call: (signal: AbortSignal) => Promise<Answer>) {
  const [count, setCount] = useState(0);
  const [state, setState] = useState<{ data?: Answer; error?: unknown }>({});
  useEffect(() => {
    const abort = new AbortController();
    call(abort.signal).then(
      (data) => setState({ data }),
      (error: unknown) => abort.signal.aborted || setState({ error }),
    );
    return () => abort.abort();
    // The key names what the call asks.
  }, [key, count]);
  const reload = useCallback(() => setCount((last) => last + 1), []);
  return { ...state, reload };
}
