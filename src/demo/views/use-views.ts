import { useEffect, useState } from "react";
import { paginate, type CardOnBoard, type View } from "@workspace-board-service/client";
import { useBoards, useStore } from "@workspace-board-service/client/react";
import { boards } from "../base/service.ts";
import { useQuery } from "../base/use-query.ts";

// The hooks of the client for views need a connection in each tab: browsers allow six of HTTP/1.1.

const own = new EventTarget();

/** Says that this page has changed a view. */
export const changed = () => own.dispatchEvent(new Event("change"));

const settleMs = 300;
const types = ["view.created", "view.updated", "view.deleted", "view.restored"] as const;

/** The answer of a call, which is called again a moment after boards or views have changed. */
function useLive<Answer>(
  workspace: string,
  key: string,
  call: (signal: AbortSignal) => Promise<Answer>,
) {
  const store = useStore();
  const { boards: all } = useBoards(workspace);
  const answer = useQuery(key, call);
  const { reload } = answer;
  useEffect(() => {
    const timer = setTimeout(reload, settleMs);
    return () => clearTimeout(timer);
  }, [all, reload]);
  useEffect(() => {
    const ends = types.map((type) => store.on(type, reload));
    own.addEventListener("change", reload);
    return () => {
      for (const end of ends) end();
      own.removeEventListener("change", reload);
    };
  }, [store, reload]);
  return answer;
}

/** The views of a workspace. */
export const useViews = (workspacePublicId: string) =>
  useLive(workspacePublicId, `views ${workspacePublicId}`, (signal) =>
    boards.view.list({ workspacePublicId }, { signal }),
  );

/** How many cards each group of a view has. */
export const useViewGroups = ({ publicId, workspacePublicId }: View) =>
  useLive(workspacePublicId, `groups ${publicId}`, (signal) =>
    boards.view.groups({ viewPublicId: publicId }, { signal }),
  );

/** How many more cards a group shows at a time. */
const pageSize = 50;

/** The first cards of a group of a view. */
export function useViewCards({ publicId, workspacePublicId }: View, group?: string) {
  const [most, setMost] = useState(pageSize);
  const key = `cards ${publicId} ${group} ${most}`;
  const { data, error } = useLive(workspacePublicId, key, async (signal) => {
    const cards: CardOnBoard[] = [];
    const input = { viewPublicId: publicId, ...(group === undefined ? {} : { group }) };
    for await (const card of paginate((page) => boards.view.cards(page, { signal }), input)) {
      cards.push(card);
      if (cards.length === most) break;
    }
    return cards;
  });
  return { data, error, hasMore: data?.length === most, more: () => setMost(most + pageSize) };
}
