import { useEffect, type ReactNode } from "react";
import { usePageFocus } from "../base/use-focus.ts";

/** The heading of a page, which gets the focus when the page is opened. */
export function PageTitle({ title, children }: { title: string; children?: ReactNode }) {
  const heading = usePageFocus();
  useEffect(() => {
    document.title = title === "Boards" ? title : `${title} – Boards`;
  }, [title]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children ?? title}
    </h1>
  );
}
