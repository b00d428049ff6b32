import { useEffect, useState } from "react";
import {
  paginate,
  type CardSummary,
  type View,
  type ViewGroups,
} from "@workspace-board-service/client";
import { useBoards } from "@workspace-board-service/client/react";
import type { BoardView } from "@workspace-board-service/client/store";
import { hrefOf, replace } from "../base/route.ts";
import { boards, messageOf } from "../base/service.ts";
import { useQuery } from "../base/use-query.ts";
import { useSettled } from "../base/use-settled.ts";
import { CardDialog } from "../card/card-dialog.tsx";
import { CardTile } from "../card/card-tile.tsx";
import { colourClass } from "../components/parts.tsx";
import { Toast } from "../components/toast.tsx";
import { useNotice } from "../components/use-notice.ts";
import { ViewsBar } from "./views-bar.tsx";

type Props = { id: string; openCard: string };

/** A view: its cards from all boards, by groups. */
export function ViewPage({ id, openCard }: Props) {
  const { data, error, reload } = useQuery(`view ${id}`, (signal) =>
    boards.view.get({ viewPublicId: id }, { signal }),
  );
  if (data !== undefined) return <ViewBoard view={data} openCard={openCard} reload={reload} />;
  return (
    <main className="page">
      {error === undefined ? <p>Loading…</p> : <p role="alert">{messageOf(error)}</p>}
    </main>
  );
}

function ViewBoard({ view, openCard, reload }: ViewProps & { openCard: string }) {
  const { publicId: viewPublicId, workspacePublicId } = view;
  const { boards: all } = useBoards(workspacePublicId);
  const { notice, notify, hide } = useNotice();
  const groups = useLive(all, `groups ${viewPublicId}`, (signal) =>
    boards.view.groups({ viewPublicId }, { signal }),
  );
  const open = all.find(({ lists }) =>
    lists.some(({ cards }) => cards.some(({ publicId }) => publicId === openCard)),
  );
  useEffect(() => {
    document.title = `${view.name} – Boards`;
  }, [view.name]);
  return (
    <div className="with-views">
      <ViewsBar workspace={workspacePublicId} current={viewPublicId} onRename={reload} />
      <main className="board">
        <div className="board-top">
          <h1>{view.name}</h1>
          {view.isBroken && <span className="badge">Something that it names is gone</span>}
        </div>
        {groups.error !== undefined && <p role="alert">{messageOf(groups.error)}</p>}
        <div className="lists">
          {groups.data?.total === 0 && <p className="hint">No card passes the filter.</p>}
          {groups.data &&
            columnsOf(groups.data).map((group) => (
              <GroupColumn key={group.key} view={view} group={group} boards={all} />
            ))}
        </div>
        <Toast notice={notice} onHide={hide} />
        {open !== undefined && (
          <CardDialog
            key={openCard}
            board={open}
            id={openCard}
            notify={notify}
            onClose={() => replace("view", viewPublicId)}
          />
        )}
      </main>
    </div>
  );
}

type ViewProps = { view: View; reload: () => void };
type Group = Omit<ViewGroups["groups"][number], "key"> & { key?: string };

/** The groups of a view; all of its cards where they are not grouped. */
function columnsOf({ groups, total }: ViewGroups): Group[] {
  if (groups.length > 0 || total === 0) return groups;
  return [{ name: "All cards", colourCode: null, boardPublicId: null, count: total }];
}

/** The answer of a call, which is called again a moment after boards have changed. */
function useLive<Answer>(
  all: readonly BoardView[],
  key: string,
  call: (signal: AbortSignal) => Promise<Answer>,
) {
  const answer = useQuery(key, call);
  const { reload } = answer;
  const changes = useSettled(all);
  useEffect(() => reload(), [changes, reload]);
  return answer;
}

/** How many more cards a group shows at a time. */
const pageSize = 50;

/** The first cards of a group. A page may have fewer cards than were asked for. */
async function cardsOf(view: string, group: Group, most: number, signal: AbortSignal) {
  const cards: CardSummary[] = [];
  const { key } = group;
  const input = {
    viewPublicId: view,
    limit: pageSize,
    ...(key === undefined ? {} : { group: key }),
  };
  for await (const card of paginate((page) => boards.view.cards(page, { signal }), input)) {
    cards.push(card);
    if (cards.length === most) break;
  }
  return cards;
}

type ColumnProps = { view: View; group: Group; boards: readonly BoardView[] };

function GroupColumn({ view, group, boards: all }: ColumnProps) {
  const [most, setMost] = useState(pageSize);
  const { publicId } = view;
  const { data, error } = useLive(all, `cards ${publicId} ${group.key} ${most}`, (signal) =>
    cardsOf(publicId, group, most, signal),
  );
  const name = group.name ?? names[group.key ?? ""] ?? group.key;
  const boardName = all.find((board) => board.publicId === group.boardPublicId)?.name;
  return (
    <section className="list" aria-label={name}>
      <header>
        <h2>
          <span className={group.colourCode === null ? "" : `label ${colourClass(group)}`}>
            {name}
          </span>{" "}
          <small>
            {group.count} {all.length > 1 && boardName}
          </small>
        </h2>
      </header>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      <ol className="cards">
        {data?.map((card) => {
          const board = all.find(({ lists }) =>
            lists.some((list) => list.publicId === card.listPublicId),
          );
          return (
            board && (
              <li key={card.publicId}>
                <CardTile
                  board={board}
                  card={card}
                  href={hrefOf("view", publicId, card.publicId)}
                />
              </li>
            )
          );
        })}
      </ol>
      {data?.length === most && (
        <button type="button" onClick={() => setMost(most + pageSize)}>
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
