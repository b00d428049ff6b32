import { useState } from "react";
import { EditableText } from "../components/editable-text.tsx";
import { Markdown } from "../components/markdown.tsx";

type Props = { text: string; onSave: (text: string) => void };

/** The description of a card: Markdown, and its text while it is edited. */
export function Description({ text, onSave }: Props) {
  const [isEdited, setIsEdited] = useState(false);
  const isField = isEdited || text === "";
  return (
    <section>
      <div className="section-top">
        <h3>Description</h3>
        {!isField && (
          <button type="button" className="quiet" onClick={() => setIsEdited(true)}>
            Edit
          </button>
        )}
      </div>
      {isField ? (
        <div onFocus={() => setIsEdited(true)} onBlur={() => setIsEdited(false)}>
          <EditableText
            label="Description"
            placeholder="Describe the card. **Markdown** works."
            autoFocus={isEdited}
            value={text}
            onSave={onSave}
          />
        </div>
      ) : (
        <Markdown text={text} />
      )}
    </section>
  );
}
