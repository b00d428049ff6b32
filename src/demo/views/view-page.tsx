import type { View } from "@workspace-board-service/client";
import {
  useBoards,
  useViewCards,
  useViewGroups,
  useViews,
} from "@workspace-board-service/client/react";
import type { BoardView } from "@workspace-board-service/client/store";
import { hrefOf, replace } from "../base/route.ts";
import { messageOf } from "../base/service.ts";
import { useCardFocus } from "../base/use-focus.ts";
import { CardDialog } from "../card/card-dialog.tsx";
import { CardTile } from "../card/card-tile.tsx";
import { Boundary } from "../components/boundary.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { colourClass } from "../components/parts.tsx";
import { Toast } from "../components/toast.tsx";
import { useNotice } from "../components/use-notice.ts";
import { groupsOf, nameOf, type Group } from "./view-groups.ts";
import { ViewTable } from "./view-table.tsx";
import { ViewMenu, ViewTabs } from "./view-tabs.tsx";

type Props = { workspace: string; id: string; openCard: string };

/** A view: its cards from all boards, by groups. */
export function ViewPage({ workspace, id, openCard }: Props) {
  const { data, error } = useViews(workspace);
  const view = data?.find(({ publicId }) => publicId === id);
  if (view === undefined && data === undefined && error === undefined) {
    return (
      <main id="main" className="page" tabIndex={-1}>
        <p className="hint">Loading…</p>
      </main>
    );
  }
  if (view === undefined) {
    const message = error === undefined ? "There is no such view any more." : messageOf(error);
    return (
      <main id="main" className="page" tabIndex={-1}>
        <PageTitle title="No view" />
        <p role="alert">{message}</p>
        <a href={hrefOf()}>All workspaces</a>
      </main>
    );
  }
  return <OpenView view={view} openCard={openCard} />;
}

/** The board of a view that shows only one. */
const boardOf = ({ boardPublicId, boards }: View) =>
  boardPublicId ?? (boards?.length === 1 ? boards[0] : undefined);

function OpenView({ view, openCard }: { view: View; openCard: string }) {
  const { publicId, workspacePublicId, name, isBroken, layout } = view;
  const { boards } = useBoards(workspacePublicId);
  const { data, error } = useViewGroups(view);
  const { notice, notify, hide } = useNotice();
  useCardFocus(openCard);
  const board = boards.find(({ lists }) =>
    lists.some(({ cards }) => cards.some((card) => card.publicId === openCard)),
  );
  const groups = data === undefined ? [] : groupsOf(data);
  return (
    <main id="main" className="board" tabIndex={-1}>
      <div className="board-top">
        <PageTitle title={name} />
        {isBroken && <span className="badge">Something that it names is gone</span>}
        <span className="buttons">
          <ViewMenu view={view} />
        </span>
      </div>
      <div className="tab-row">
        <Boundary name="The views">
          <ViewTabs workspace={workspacePublicId} board={boardOf(view)} current={publicId} />
        </Boundary>
      </div>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      {data?.total === 0 && <p className="hint">No card passes the filter.</p>}
      <Boundary name="This view">
        {layout === "table" ? (
          <ViewTable view={view} groups={groups} boards={boards} />
        ) : (
          <div className="lists">
            {groups.map((group) => (
              <Boundary key={group.key ?? ""} name={`The group ${nameOf(group)}`}>
                <GroupColumn view={view} group={group} boards={boards} />
              </Boundary>
            ))}
          </div>
        )}
      </Boundary>
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

type ColumnProps = { view: View; group: Group; boards: readonly BoardView[] };

function GroupColumn({ view, group, boards }: ColumnProps) {
  const { data, error, more } = useViewCards(view, group.key);
  const boardWith = (id: string | null) => boards.find(({ publicId }) => publicId === id);
  return (
    <section className="list" aria-label={nameOf(group)}>
      <header>
        <h2>
          <span className={group.colourCode === null ? "capital" : `label ${colourClass(group)}`}>
            {nameOf(group)}
          </span>{" "}
          <small>
            {group.count} {boards.length > 1 && boardWith(group.boardPublicId)?.name}
          </small>
        </h2>
      </header>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      <ol className="cards">
        {data?.items.map((card) => {
          const board = boardWith(card.boardPublicId);
          const href = hrefOf("view", view.workspacePublicId, view.publicId, card.publicId);
          return (
            board && (
              <li key={card.publicId}>
                <Boundary name={`The card ${card.title}`}>
                  <CardTile board={board} card={card} href={href} />
                </Boundary>
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
