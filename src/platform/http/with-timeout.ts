import type { Failure } from "../errors.ts";

/** Rejects when a promise takes longer than `ms`, or when `mayRefuse` rejects it. */
export async function withTimeout<Value>(
  promise: Promise<Value>,
  { ms, late: lateError }: { ms: number; late: () => Failure },
  mayRefuse: (refuse: (error: unknown) => void) => void,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(lateError()), ms);
    mayRefuse(reject);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
