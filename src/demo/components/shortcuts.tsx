import { useEffect, useState } from "react";
import { Modal } from "./modal.tsx";

/** The keys, and what each of them does. */
const keys = [
  ["/", "Search, or filter the board"],
  ["c", "Write a new card in the list with the focus, or in the first one"],
  ["?", "Show this help"],
  ["Enter", "Open the card with the focus"],
  ["Space", "Pick a card up; arrow keys move it, Space drops it, Escape puts it back"],
  ["Alt + arrow", "Move a card at once"],
  ["Ctrl + Z", "Undo the last move"],
  ["Escape", "Close a dialog or a menu"],
] as const;

const typing = "input, textarea, select, [contenteditable], [role=spinbutton], [role=combobox]";
const covering = "[role=dialog], [role=alertdialog], [role=menu]";

const isShown = (element: HTMLElement) => element.getClientRects().length > 0;

/** The field that a key focuses: one that names it, first in the list with the focus. */
function fieldOf(key: string): HTMLElement | undefined {
  const selector = `[aria-keyshortcuts="${key}"]`;
  const list = document.activeElement?.closest(".list");
  const inList = list?.querySelectorAll<HTMLElement>(selector) ?? [];
  return [...inList, ...document.querySelectorAll<HTMLElement>(selector)].find(isShown);
}

/** The keys of the page, which do nothing while somebody types, and the help that lists them. */
export function Shortcuts() {
  const [isHelp, setIsHelp] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event;
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey || event.isComposing;
      const isTyping = target instanceof Element && target.closest(typing) !== null;
      if (hasModifier || isTyping || event.defaultPrevented) return;
      if (document.querySelector(covering) !== null) return;
      if (key === "?") setIsHelp(true);
      else if (key !== "/" && key !== "c") return;
      else fieldOf(key)?.focus();
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  if (!isHelp) return null;
  return (
    <Modal title="Keyboard shortcuts" onClose={() => setIsHelp(false)}>
      <dl className="keys">
        {keys.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
