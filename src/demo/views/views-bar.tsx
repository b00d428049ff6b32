import { useEffect, useState } from "react";
import { useBoards, useStore } from "@workspace-board-service/client/react";
import { hrefOf, open } from "../base/route.ts";
import { boards, messageOf } from "../base/service.ts";
import { useQuery } from "../base/use-query.ts";
import { useSettled } from "../base/use-settled.ts";
import { ActionMenu } from "../components/action-menu.tsx";
import { ConfirmDialog, RenameDialog } from "../components/questions.tsx";
import { useCall } from "../components/use-call.ts";

/** The views of a workspace, each with how many cards it shows. */
async function viewsOf(workspacePublicId: string, signal: AbortSignal) {
  const views = await boards.view.list({ workspacePublicId }, { signal });
  const counts = views.map(({ publicId }) =>
    boards.view.groups({ viewPublicId: publicId }, { signal }),
  );
  return (await Promise.all(counts)).flatMap(({ total, isExact }, nth) => {
    const view = views[nth];
    return view === undefined ? [] : [{ view, count: isExact ? `${total}` : `${total}+` }];
  });
}

type Views = Awaited<ReturnType<typeof viewsOf>>;

/** The views of a workspace, which follow its boards. */
function useViews(workspace: string) {
  const store = useStore();
  const { data, error, reload } = useQuery(`views ${workspace}`, (signal) =>
    viewsOf(workspace, signal),
  );
  const changes = useSettled(useBoards(workspace).boards);
  useEffect(() => reload(), [changes, reload]);
  useEffect(() => {
    const types = ["view.created", "view.updated", "view.deleted"] as const;
    const ends = types.map((type) => store.on(type, reload));
    return () => ends.forEach((end) => end());
  }, [store, reload]);
  return { views: data ?? [], error, reload };
}

const isWide = () => matchMedia("(min-width: 60rem)").matches;

type Props = {
  workspace: string;
  /** The id of the view that is shown. */
  current?: string;
  /** Called when the view that is shown has another name. */
  onRename?: () => void;
};

/** The side bar with the views of a workspace. */
export function ViewsBar({ workspace, current, onRename }: Props) {
  const { views, error, reload } = useViews(workspace);
  const [isOpen] = useState(isWide);
  if (views.length === 0 && error === undefined) return null;
  return (
    <details className="views" open={isOpen}>
      <summary>Views</summary>
      <nav aria-label="Views">
        {error !== undefined && <p role="alert">{messageOf(error)}</p>}
        <ul>
          {views.map(({ view, count }) => (
            <ViewLink
              key={view.publicId}
              view={view}
              count={count}
              isCurrent={view.publicId === current}
              onRename={() => {
                reload();
                onRename?.();
              }}
              onDelete={() => (view.publicId === current ? open() : reload())}
            />
          ))}
        </ul>
      </nav>
    </details>
  );
}

type LinkProps = Views[number] & {
  isCurrent: boolean;
  onRename: () => void;
  onDelete: () => void;
};

function ViewLink({ view, count, isCurrent, onRename, onDelete }: LinkProps) {
  const { publicId: viewPublicId, name } = view;
  const [shown, show] = useState("");
  const close = () => show("");
  const { error, run } = useCall();
  return (
    <li>
      <a href={hrefOf("view", viewPublicId)} aria-current={isCurrent ? "page" : undefined}>
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
          onSave={(next) => run(() => boards.view.update({ viewPublicId, name: next }), onRename)}
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
            onDelete();
          }}
          onClose={close}
        />
      )}
    </li>
  );
}
