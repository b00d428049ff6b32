import { useCall } from "../components/use-call.ts";
import { messageOf } from "../base/service.ts";

/** An archived or deleted board, list or card. */
export type Stored = { type: "board" | "list" | "card"; publicId: string; name: string };

type Props = {
  title: string;
  data?: readonly Stored[];
  error?: unknown;
  reload: () => void;
  onRestore: (entry: Stored) => Promise<unknown>;
};

/** Entries that can be brought back. */
export function RestoreList({ title, data, error: unread, reload, onRestore }: Props) {
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
              {entry.name} <small>{entry.type}</small>
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
