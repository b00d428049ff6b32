import { useDraft } from "./use-draft.ts";

type Props = { dueDate: string | null; onSave: (dueDate: string | null) => void };

/** The due date as a day of the user's time zone, as cards show it. */
export function DueField({ dueDate, onSave }: Props) {
  // Each digit of a year is a value: the date is saved when the field is left.
  const { text, change, save } = useDraft(dayOf(dueDate), (day) =>
    onSave(day === "" ? null : new Date(`${day}T12:00:00`).toISOString()),
  );
  return (
    <label>
      Due
      <input
        type="date"
        value={text}
        onChange={(event) => change(event.target.value)}
        onBlur={save}
      />
    </label>
  );
}

/** The local day of a date, as an input of dates has it. */
function dayOf(date: string | null): string {
  if (date === null) return "";
  const at = new Date(date);
  const [month, day] = [at.getMonth() + 1, at.getDate()].map((part) => `${part}`.padStart(2, "0"));
  return `${`${at.getFullYear()}`.padStart(4, "0")}-${month}-${day}`;
}
