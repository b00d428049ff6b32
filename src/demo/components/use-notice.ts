import { useCallback, useEffect, useState } from "react";

const noticeMs = 8_000;

/** What has just been done, and how it is undone. */
export type Notice = { text: string; button?: string; run?: () => void };
/** Shows a notice for some seconds. */
export type Notify = (notice: Notice) => void;

/** The last notice of a page. */
export function useNotice() {
  const [notice, setNotice] = useState<Notice>();
  useEffect(() => {
    if (notice === undefined) return undefined;
    const timer = setTimeout(() => setNotice(undefined), noticeMs);
    return () => clearTimeout(timer);
  }, [notice]);
  const hide = useCallback(() => setNotice(undefined), []);
  return { notice, notify: setNotice as Notify, hide };
}
