import { useStore } from "@workspace-board-service/client/react";
import type { BoardView } from "@workspace-board-service/client/store";
import { hrefOf } from "../base/route.ts";
import { boards, messageOf } from "../base/service.ts";
import { focusSoon } from "../base/use-focus.ts";
import { positionOf } from "../base/card-position.ts";
import { ActionMenu, type Action } from "../components/action-menu.tsx";
import type { Notify } from "../components/use-notice.ts";

type Props = {
  board: BoardView;
  id: string;
  title: string;
  label: string;
  notify: Notify;
  /** Called when the card has left the board. */
  onLeave?: () => void;
  /** Called when the card has moved. */
  onMoved?: () => void;
};

/** What can be done with a card. */
export function CardMenu(props: Props) {
  const { board, id, label, onMoved } = props;
  return (
    <ActionMenu
      label={label}
      actions={[...useMoveActions(board, id, props.notify, onMoved), ...useCardActions(props)]}
    />
  );
}

/** The moves within the list of a card, and to the other lists. */
function useMoveActions(
  board: BoardView,
  id: string,
  notify: Notify,
  onMoved?: () => void,
): (Action | false)[] {
  const { cards, undo } = useStore().board(board.publicId);
  const at = positionOf(board, id);
  if (at === undefined) return [];
  const all = board.lists[at.list]?.cards ?? [];
  const move = (to: Parameters<typeof cards.move>[1], text: string) => () => {
    cards.move(id, to);
    notify({ text, run: undo });
    onMoved?.();
  };
  const [first, previous] = [all[0], all[at.index - 1]];
  const [next, last] = [all[at.index + 1], all.at(-1)];
  return [
    previous !== undefined &&
      first !== undefined && {
        name: "Move to the top",
        run: move({ before: first.publicId }, "Moved to the top."),
      },
    previous !== undefined && {
      name: "Move up",
      run: move({ before: previous.publicId }, "Moved up."),
    },
    next !== undefined && {
      name: "Move down",
      run: move({ after: next.publicId }, "Moved down."),
    },
    next !== undefined &&
      last !== undefined && {
        name: "Move to the bottom",
        run: move({ after: last.publicId }, "Moved to the bottom."),
      },
    board.lists.length > 1 && {
      name: "Move to a list",
      actions: board.lists
        .filter((_, nth) => nth !== at.list)
        .map(({ publicId, name }) => ({
          name,
          id: publicId,
          run: move({ list: publicId }, `Moved to ${name}.`),
        })),
    },
  ];
}

function useCardActions({ board, id, title, notify, onLeave }: Props): Action[] {
  const { cards } = useStore().board(board.publicId);
  const duplicate = async () => {
    try {
      const copy = await boards.card.duplicate({ cardPublicId: id });
      const href = hrefOf("board", board.publicId, copy.publicId);
      notify({
        text: `${title} is duplicated.`,
        button: "Open the copy",
        run: () => location.assign(href),
      });
    } catch (error) {
      notify({ text: messageOf(error) });
    }
  };
  const leave = (text: string, run: () => void) => {
    notify({ text, run });
    onLeave?.();
    focusSoon(`#card-${id}`);
  };
  return [
    { name: "Duplicate the card", run: () => void duplicate() },
    {
      name: "Archive the card",
      run: () => {
        void cards.archive(id);
        leave(`${title} is archived.`, () => void cards.unarchive(id));
      },
    },
    {
      name: "Delete the card",
      isDangerous: true,
      run: () => {
        void cards.delete(id);
        leave(`${title} is in the trash.`, () => void cards.restore(id));
      },
    },
  ];
}
