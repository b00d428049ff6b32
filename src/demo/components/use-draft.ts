import { useEffect, useRef, useState } from "react";

/**
 * A text that is edited; `save` ends the edit. Changes by others show before and after it.
 *
 * React reports no blur of an element that it removes, so an edit is saved then too.
 */
export function useDraft(value: string, onSave: (text: string) => void) {
  const [text, setText] = useState<string>();
  const edit = useRef<{ of: string; text: string }>(undefined);
  const save = () => {
    const ended = edit.current;
    edit.current = undefined;
    setText(undefined);
    if (ended !== undefined && ended.text !== ended.of) onSave(ended.text);
  };
  const latest = useRef(save);
  useEffect(() => {
    latest.current = save;
  });
  useEffect(() => () => latest.current(), []);
  const change = (next: string) => {
    edit.current = { of: edit.current?.of ?? value, text: next };
    setText(next);
  };
  return { text: text ?? value, change, save };
}
