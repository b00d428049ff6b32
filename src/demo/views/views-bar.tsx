import { useState } from "react";
import type { View } from "@workspace-board-service/client";
import { useViewGroups, useViews } from "@workspace-board-service/client/react";
import { hrefOf, open } from "../base/route.ts";
import { boards, messageOf } from "../base/service.ts";
import { ActionMenu } from "../components/action-menu.tsx";
import { ConfirmDialog, RenameDialog } from "../components/questions.tsx";
import { useCall } from "../components/use-call.ts";

const isWide = () => matchMedia("(min-width: 60rem)").matches;

type Props = {
  workspace: string;
  /** The id of the view that is shown. */
  current?: string;
};

/** The side bar with the views of a workspace. */
export function ViewsBar({ workspace, current }: Props) {
  const { data } = useViews(workspace);
  const [isOpen] = useState(isWide);
  if (data === undefined || data.length === 0) return null;
  return (
    <details className="views" open={isOpen}>
      <summary>Views</summary>
      <nav aria-label="Views">
        <ul>
          {data.map((view) => (
            <ViewLink key={view.publicId} view={view} isCurrent={view.publicId === current} />
          ))}
        </ul>
      </nav>
    </details>
  );
}

function ViewLink({ view, isCurrent }: { view: View; isCurrent: boolean }) {
  const { publicId: viewPublicId, workspacePublicId, name } = view;
  const { data } = useViewGroups(view);
  const { error, run } = useCall();
  const [shown, show] = useState("");
  const close = () => show("");
  const count = data && `${data.total}${data.isExact ? "" : "+"}`;
  return (
    <li>
      <a
        href={hrefOf("view", workspacePublicId, viewPublicId)}
        aria-current={isCurrent ? "page" : undefined}
      >
        {name} <small>{count}</small>
      </a>
      <ActionMenu
        label={`Menu of the view ${name}`}
        actions={[
          { name: "Rename the view", run: () => show("rename") },
          { name: "Delete the view", isDangerous: true, run: () => show("delete") },
        ]}
      />
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      {shown === "rename" && (
        <RenameDialog
          title="Rename the view"
          value={name}
          onSave={(next) => run(() => boards.view.update({ viewPublicId, name: next }))}
          onClose={close}
        />
      )}
      {shown === "delete" && (
        <ConfirmDialog
          title="Delete the view?"
          text={`${name} is deleted. Its cards stay.`}
          button="Delete"
          onConfirm={async () => {
            await boards.view.delete({ viewPublicId });
            if (isCurrent) open();
          }}
          onClose={close}
        />
      )}
    </li>
  );
}
