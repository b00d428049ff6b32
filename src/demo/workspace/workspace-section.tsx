import { useState } from "react";
import { useBoards, useSearch, useStore } from "@workspace-board-service/client/react";
import { NameForm } from "../components/name-form.tsx";
import { hrefOf, open } from "../base/route.ts";
import { messageOf } from "../base/service.ts";
import { WorkspaceTop } from "./workspace-top.tsx";

/** What a search in a workspace finds. */
function SearchResults({ workspace, text }: { workspace: string; text: string }) {
  const { data, error } = useSearch(workspace, text);
  if (error !== undefined) return <p role="alert">{messageOf(error)}</p>;
  if (data === undefined) return null;
  return (
    <ul className="results" aria-label="Results">
      {data.items.map(({ publicId, boardPublicId, cardPublicId, title, boardName }) => (
        <li key={publicId}>
          <a href={hrefOf("board", boardPublicId, ...(cardPublicId ? [cardPublicId] : []))}>
            {title}
          </a>{" "}
          <small>{boardName}</small>
        </li>
      ))}
      {data.items.length === 0 && <li>Nothing found.</li>}
    </ul>
  );
}

const lists = ["To do", "In progress", "Done"];

type Props = { id: string; name: string; role: string };

/** A workspace with its boards and its search. */
export function WorkspaceSection({ id, name, role }: Props) {
  const [text, setText] = useState("");
  const store = useStore();
  const { boards: all, status, error } = useBoards(id);
  return (
    <section className="workspace" aria-label={name}>
      <WorkspaceTop id={id} name={name} role={role} />
      <input
        type="search"
        aria-label={`Search in ${name}`}
        aria-keyshortcuts="/"
        placeholder="Search cards, comments and boards"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {text.trim().length > 1 && <SearchResults workspace={id} text={text.trim()} />}
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
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
          open("board", store.createBoard(id, { name: boardName, lists }).publicId);
        }}
      />
    </section>
  );
}

const countOf = (cards: number) => `${cards} ${cards === 1 ? "card" : "cards"}`;
