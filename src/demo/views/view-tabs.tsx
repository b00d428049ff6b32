import { useEffect, useState } from "react";
import type { View } from "@workspace-board-service/client";
import { useStore, useViewGroups, useViews } from "@workspace-board-service/client/react";
import { hrefOf, open } from "../base/route.ts";
import { messageOf } from "../base/service.ts";
import { ActionMenu } from "../components/action-menu.tsx";
import { ConfirmDialog, RenameDialog } from "../components/questions.tsx";
import { useCall } from "../components/use-call.ts";

/** The board of each workspace that was shown last: the way back from a view. */
const lastBoards = new Map<string, string>();

type Props = {
  workspace: string;
  /** The board that is shown, or to which the view belongs. */
  board?: string | undefined;
  /** The view that is shown. */
  current?: string;
};

/** A board and the views of its workspace, in a row. */
export function ViewTabs({ workspace, board = lastBoards.get(workspace), current }: Props) {
  const { data } = useViews(workspace);
  useEffect(() => {
    if (board !== undefined) lastBoards.set(workspace, board);
  }, [workspace, board]);
  return (
    <nav aria-label="Views" className="view-tabs">
      <ul>
        {board !== undefined && (
          <li>
            <a
              href={hrefOf("board", board)}
              aria-current={current === undefined ? "page" : undefined}
            >
              All cards
            </a>
          </li>
        )}
        {data?.map((view) => (
          <ViewTab key={view.publicId} view={view} isCurrent={view.publicId === current} />
        ))}
      </ul>
    </nav>
  );
}

function ViewTab({ view, isCurrent }: { view: View; isCurrent: boolean }) {
  const { publicId, workspacePublicId, name } = view;
  const { data } = useViewGroups(view);
  return (
    <li>
      <a
        href={hrefOf("view", workspacePublicId, publicId)}
        aria-current={isCurrent ? "page" : undefined}
      >
        {name} <small>{data && `${data.total}${data.isExact ? "" : "+"}`}</small>
      </a>
    </li>
  );
}

/** What can be done with the view that is shown. */
export function ViewMenu({ view: { publicId, workspacePublicId, name } }: { view: View }) {
  const views = useStore().views(workspacePublicId);
  const { error, run } = useCall();
  const [shown, show] = useState("");
  const close = () => show("");
  return (
    <>
      <ActionMenu
        label={`Menu of the view ${name}`}
        actions={[
          { name: "Rename the view", run: () => show("rename") },
          {
            name: "Show as a board",
            run: () => run(() => views.update(publicId, { layout: "board" }).done),
          },
          {
            name: "Show as a table",
            run: () => run(() => views.update(publicId, { layout: "table" }).done),
          },
          { name: "Delete the view", isDangerous: true, run: () => show("delete") },
        ]}
      />
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      {shown === "rename" && (
        <RenameDialog
          title="Rename the view"
          value={name}
          onSave={(next) => run(() => views.update(publicId, { name: next }).done)}
          onClose={close}
        />
      )}
      {shown === "delete" && (
        <ConfirmDialog
          title="Delete the view?"
          text={`${name} is deleted. Its cards stay.`}
          button="Delete"
          onConfirm={async () => {
            await views.delete(publicId).done;
            open();
          }}
          onClose={close}
        />
      )}
    </>
  );
}
