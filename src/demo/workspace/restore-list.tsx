import { useCall } from "../components/use-call.ts";
import { messageOf } from "../base/service.ts";

/** Something archived or deleted. */
export type Stored = { type: keyof typeof typeNames; publicId: string; name: string };

const typeNames = {
  board: "board",
  list: "list",
  card: "card",
  field: "field",
  fieldOption: "option of a field",
  view: "view",
};

type Props<Entry extends Stored> = {
  title: string;
  data?: readonly Entry[];
  error?: unknown;
  reload: () => void;
  onRestore: (entry: Entry) => Promise<unknown>;
};

/** Entries that can be brought back. */
export function RestoreList<Entry extends Stored>({
  title,
  data,
  error: unread,
  reload,
  onRestore,
}: Props<Entry>) {
  const { error = unread, isBusy, run } = useCall();
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      {data?.length === 0 && <p className="hint">Nothing is here.</p>}
      <ul className="rows">
        {data?.map((entry) => (
          <li key={entry.publicId}>
            <span>
              {entry.name} <small>{typeNames[entry.type]}</small>
            </span>
            <button
              type="button"
              disabled={isBusy}
              aria-label={`Bring ${entry.name} back`}
              onClick={() => run(() => onRestore(entry), reload)}
            >
              Bring back
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
