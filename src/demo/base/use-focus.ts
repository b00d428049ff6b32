import { useEffect, useRef } from "react";

let hasOpened = false;

/** From now on a new page gets the focus: the first one starts where the browser starts. */
export const focusNextPage = (): void => {
  hasOpened = true;
};
addEventListener("hashchange", focusNextPage);

/** Gives the heading of a page the focus when the page is opened. */
export function usePageFocus() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (hasOpened) heading.current?.focus({ preventScroll: true });
  }, []);
  return heading;
}

/** The element to which the focus goes when what had it is gone. */
const headingOfPage = () => document.querySelector<HTMLElement>("main h1");

/** Focuses an element once React has shown it, or the heading of the page. */
export function focusSoon(selector: string): void {
  // Dialogs give the focus back one frame after they are gone.
  const afterFrame = (run: () => void) => requestAnimationFrame(() => requestAnimationFrame(run));
  afterFrame(() => {
    const element = document.querySelector<HTMLElement>(selector);
    (element ?? headingOfPage())?.focus();
  });
}

/** Gives the focus to a card when its dialog is closed, or to the page if the card has gone. */
export function useCardFocus(openCard: string): void {
  const last = useRef(openCard);
  useEffect(() => {
    const closed = last.current;
    last.current = openCard;
    if (closed !== "" && openCard === "") focusSoon(`#card-${CSS.escape(closed)}`);
  }, [openCard]);
}
