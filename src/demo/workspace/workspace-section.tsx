import { useState } from "react";
import { useBoards } from "@workspace-board-service/client/react";
import { ActionMenu } from "../components/action-menu.tsx";
import { NameForm } from "../components/name-form.tsx";
import { RenameDialog } from "../components/questions.tsx";
import { useCall } from "../components/use-call.ts";
import { hrefOf, open } from "../route.ts";
import { boards, messageOf } from "../service.ts";
import { MembersDialog } from "./members-dialog.tsx";
import { SearchResults } from "./search-results.tsx";
import { WorkspaceArchive } from "./workspace-archive.tsx";

const lists = ["To do", "In progress", "Done"];

type Props = { id: string; name: string; role: string };

/** A workspace with its boards and its search. */
export function WorkspaceSection({ id, name, role }: Props) {
  const [text, setText] = useState("");
  const [shown, show] = useState("");
  const close = () => show("");
  const { boards: all, status, error } = useBoards(id);
  const rename = useCall();
  return (
    <section className="workspace" aria-label={name}>
      <header>
        <h2>{name}</h2>
        <span className="badge">{role}</span>
        <span className="buttons">
          <button type="button" onClick={() => show("members")}>
            Members
          </button>
          <ActionMenu
            label={`Menu of ${name}`}
            actions={[
              { name: "Rename the workspace", run: () => show("rename") },
              { name: "Archive and trash", run: () => show("archive") },
            ]}
          />
        </span>
      </header>
      <input
        type="search"
        aria-label={`Search in ${name}`}
        placeholder="Search cards, comments and boards"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {text.trim().length > 1 && <SearchResults workspace={id} text={text.trim()} />}
      {[error, rename.error].map(
        (failure) => failure !== undefined && <p role="alert">{messageOf(failure)}</p>,
      )}
      {status === "loading" && <p className="hint">Loading…</p>}
      <ul className="tiles">
        {all.map((board) => (
          <li key={board.publicId}>
            <a href={hrefOf("board", board.publicId)}>
              {board.name}
              <small>{countOf(board.lists.reduce((sum, list) => sum + list.cardCount, 0))}</small>
            </a>
          </li>
        ))}
      </ul>
      <NameForm
        label="New board"
        button="Create"
        onSubmit={async (boardName) => {
          const input = { workspacePublicId: id, name: boardName, lists };
          open("board", (await boards.board.create(input)).publicId);
        }}
      />
      {shown === "members" && <MembersDialog workspace={id} onClose={close} />}
      {shown === "archive" && <WorkspaceArchive workspace={id} onClose={close} />}
      {shown === "rename" && (
        <RenameDialog
          title="Rename the workspace"
          value={name}
          onSave={(next) =>
            rename.run(() => boards.workspace.update({ workspacePublicId: id, name: next }))
          }
          onClose={close}
        />
      )}
    </section>
  );
}

const countOf = (cards: number) => `${cards} ${cards === 1 ? "card" : "cards"}`;
