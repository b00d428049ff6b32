import { useState } from "react";

/** Runs calls that a form or button starts; `error` is why the last one failed. */
export function useCall() {
  const [error, setError] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(false);
  const run = (call: () => Promise<unknown>, onDone?: () => void) => {
    setError(undefined);
    setIsBusy(true);
    void call()
      .then(() => onDone?.(), setError)
      .finally(() => setIsBusy(false));
  };
  return { error, isBusy, run };
}
