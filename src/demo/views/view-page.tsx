import { useEffect } from "react";
import type { View, ViewGroups } from "@workspace-board-service/client";
import {
  useBoards,
  useViewCards,
  useViewGroups,
  useViews,
} from "@workspace-board-service/client/react";
import type { BoardView } from "@workspace-board-service/client/store";
import { hrefOf, replace } from "../base/route.ts";
import { messageOf } from "../base/service.ts";
import { CardDialog } from "../card/card-dialog.tsx";
import { CardTile } from "../card/card-tile.tsx";
import { colourClass } from "../components/parts.tsx";
import { Toast } from "../components/toast.tsx";
import { useNotice } from "../components/use-notice.ts";
import { ViewsBar } from "./views-bar.tsx";

type Props = { workspace: string; id: string; openCard: string };

/** A view: its cards from all boards, by groups. */
export function ViewPage({ workspace, id, openCard }: Props) {
  const { data, error } = useViews(workspace);
  const view = data?.find(({ publicId }) => publicId === id);
  return (
    <div className="with-views">
      <ViewsBar workspace={workspace} current={id} />
      {view === undefined ? (
        <main className="page">
          {error !== undefined && <p role="alert">{messageOf(error)}</p>}
          {data !== undefined && <p role="alert">There is no such view any more.</p>}
        </main>
      ) : (
        <ViewBoard view={view} openCard={openCard} />
      )}
    </div>
  );
}

function ViewBoard({ view, openCard }: { view: View; openCard: string }) {
  const { publicId, workspacePublicId, name, isBroken } = view;
  const { boards } = useBoards(workspacePublicId);
  const { data, error } = useViewGroups(view);
  const { notice, notify, hide } = useNotice();
  const board = boards.find(({ lists }) =>
    lists.some(({ cards }) => cards.some((card) => card.publicId === openCard)),
  );
  useEffect(() => {
    document.title = `${name} – Boards`;
  }, [name]);
  return (
    <main className="board">
      <div className="board-top">
        <h1>{name}</h1>
        {isBroken && <span className="badge">Something that it names is gone</span>}
      </div>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      {data?.total === 0 && <p className="hint">No card passes the filter.</p>}
      <div className="lists">
        {(data === undefined ? [] : columnsOf(data)).map((group) => (
          <GroupColumn key={group.key} view={view} group={group} boards={boards} />
        ))}
      </div>
      <Toast notice={notice} onHide={hide} />
      {board !== undefined && (
        <CardDialog
          key={openCard}
          board={board}
          id={openCard}
          notify={notify}
          onClose={() => replace("view", workspacePublicId, publicId)}
        />
      )}
    </main>
  );
}

type Group = Omit<ViewGroups["groups"][number], "key"> & { key?: string };

/** The groups of a view; one of all cards where they are not grouped. */
function columnsOf({ groups, total }: ViewGroups): Group[] {
  if (groups.length > 0 || total === 0) return groups;
  return [{ name: "All cards", colourCode: null, boardPublicId: null, count: total }];
}

type ColumnProps = { view: View; group: Group; boards: readonly BoardView[] };

function GroupColumn({ view, group, boards }: ColumnProps) {
  const { data, error, more } = useViewCards(view, group.key);
  const name = group.name ?? names[group.key ?? ""] ?? group.key;
  const boardOf = (id: string | null) => boards.find(({ publicId }) => publicId === id);
  return (
    <section className="list" aria-label={name}>
      <header>
        <h2>
          <span className={group.colourCode === null ? "" : `label ${colourClass(group)}`}>
            {name}
          </span>{" "}
          <small>
            {group.count} {boards.length > 1 && boardOf(group.boardPublicId)?.name}
          </small>
        </h2>
      </header>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      <ol className="cards">
        {data?.items.map((card) => {
          const board = boardOf(card.boardPublicId);
          const href = hrefOf("view", view.workspacePublicId, view.publicId, card.publicId);
          return (
            board && (
              <li key={card.publicId}>
                <CardTile board={board} card={card} href={href} />
              </li>
            )
          );
        })}
      </ol>
      {data?.hasMore === true && (
        <button type="button" onClick={() => void more()}>
          Show more
        </button>
      )}
    </section>
  );
}

/** What groups without a name of their own are called. */
const names: Record<string, string> = {
  none: "None",
  past: "Past",
  today: "Today",
  tomorrow: "Tomorrow",
  thisWeek: "This week",
  later: "Later",
};
