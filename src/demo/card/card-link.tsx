import { useEffect } from "react";
import { replace } from "../base/route.ts";
import { boards, messageOf } from "../base/service.ts";
import { useQuery } from "../base/use-query.ts";

/** Opens the board of a card, with the card. */
export function CardLink({ id }: { id: string }) {
  const { data, error } = useQuery(`card ${id}`, (signal) =>
    boards.card.get({ cardPublicId: id }, { signal }),
  );
  useEffect(() => {
    if (data !== undefined) replace("board", data.boardPublicId, id);
  }, [data, id]);
  return (
    <main className="page">
      {error === undefined ? <p>Loading…</p> : <p role="alert">{messageOf(error)}</p>}
    </main>
  );
}
