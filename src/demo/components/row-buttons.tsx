import { useState, type ReactNode } from "react";

type Buttons = {
  /** What the row is called. */
  name: string;
  onEdit: () => void;
  onDelete: () => void;
  /** More buttons, before the others. */
  children?: ReactNode;
};

/** The buttons that edit a row of a dialog, and delete it after a question. */
export function RowButtons({ name, onEdit, onDelete, children }: Buttons) {
  const [isAsked, setIsAsked] = useState(false);
  return (
    <span className="buttons">
      {isAsked ? (
        <>
          <button type="button" onClick={() => setIsAsked(false)}>
            Cancel
          </button>
          <button type="button" className="primary dangerous" onClick={onDelete}>
            Delete from all cards
          </button>
        </>
      ) : (
        <>
          {children}
          <button type="button" aria-label={`Edit ${name}`} onClick={onEdit}>
            Edit
          </button>
          <button type="button" aria-label={`Delete ${name}`} onClick={() => setIsAsked(true)}>
            Delete
          </button>
        </>
      )}
    </span>
  );
}
