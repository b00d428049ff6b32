import { useEffect, useState } from "react";
import { useStore } from "@workspace-board-service/client/react";

const flashMs = 1_500;
const types = [
  "card.created",
  "card.updated",
  "card.moved",
  "card.completed",
  "card.label_added",
  "card.label_removed",
  "card.member_added",
  "card.member_removed",
  "comment.created",
  "checklist_item.completed",
] as const;

/** The cards that another window or person has just changed. */
export function useFlash(boardPublicId: string): ReadonlySet<string> {
  const store = useStore();
  const [flashed, setFlashed] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const own = new Set<string>();
    const timers = new Set<ReturnType<typeof setTimeout>>();
    const remember = () => {
      for (const { id } of store.mutations().pending) own.add(id);
    };
    const flash = (card: string) => {
      setFlashed((all) => new Set([...all, card]));
      const timer = setTimeout(() => {
        timers.delete(timer);
        setFlashed((all) => new Set([...all].filter((one) => one !== card)));
      }, flashMs);
      timers.add(timer);
    };
    const ends = types.map((type) =>
      store.board(boardPublicId).on(type, ({ mutationId, data }) => {
        if (mutationId === undefined || mutationId === null || !own.has(mutationId))
          flash(data.card.publicId);
      }),
    );
    remember();
    ends.push(store.onMutations(remember));
    return () => {
      for (const end of ends) end();
      for (const timer of timers) clearTimeout(timer);
    };
  }, [store, boardPublicId]);
  return flashed;
}
