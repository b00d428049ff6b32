import { useState } from "react";
import type { CardDetail } from "@workspace-board-service/client/store";
import { ActivityList } from "../components/activity-list.tsx";
import { boards, messageOf } from "../base/service.ts";
import { useQuery } from "../base/use-query.ts";

/** The history of a card, which is read when it is opened. */
export function CardActivity({ card }: { card: CardDetail }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Activity</summary>
      {isOpen && <History id={card.publicId} version={card.version} />}
    </details>
  );
}

function History({ id, version }: { id: string; version: number }) {
  const { data, error } = useQuery(`history ${id} ${version}`, (signal) =>
    boards.card.activities({ cardPublicId: id, limit: 50 }, { signal }),
  );
  if (error !== undefined) return <p role="alert">{messageOf(error)}</p>;
  return data === undefined ? <p>Loading…</p> : <ActivityList items={data.items} />;
}
