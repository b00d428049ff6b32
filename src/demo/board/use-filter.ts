import { useEffect, useMemo, useState } from "react";
import type { BoardOptions } from "@workspace-board-service/client/react";
import type { BoardView } from "@workspace-board-service/client/store";
import { allOf } from "../base/use-query.ts";
import { boards } from "../base/service.ts";
import { paginate } from "@workspace-board-service/client";
import { treeOf, type Filter } from "./filter-parts.ts";

const all: Filter = {};

/** The filter of a board, and as an option of `useBoard`. */
export function useFilter(board: BoardView | undefined) {
  const [filter, setFilter] = useState(all);
  const tree = useMemo(() => board && treeOf(filter, board), [filter, board]);
  const [ids, setIds] = useState<ReadonlySet<string>>();
  useEffect(() => {
    if (tree === undefined || board === undefined) return;
    void allOf(
      paginate((page) => boards.board.queryCards(page), {
        boardPublicId: board.publicId,
        filter: tree,
      }),
    ).then((cards) => setIds(new Set(cards.map(({ publicId }) => publicId))));
  }, [tree, board]);
  const options = useMemo(
    (): BoardOptions =>
      tree === undefined || ids === undefined
        ? {}
        : { filter: ({ publicId }) => ids.has(publicId) },
    [tree, ids],
  );
  const change = (key: string, chosen: readonly string[]) => {
    const others = Object.entries(filter).filter(([name]) => name !== key);
    setFilter(Object.fromEntries(chosen.length === 0 ? others : [...others, [key, chosen]]));
  };
  return { filter, change, clear: () => setFilter(all), options, tree };
}
