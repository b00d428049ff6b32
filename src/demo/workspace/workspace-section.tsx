import { useState } from "react";
import { useBoards } from "@workspace-board-service/client/react";
import { NameForm } from "../components/name-form.tsx";
import { hrefOf, open } from "../base/route.ts";
import { boards, messageOf } from "../base/service.ts";
import { SearchResults } from "./search-results.tsx";
import { WorkspaceTop } from "./workspace-top.tsx";

const lists = ["To do", "In progress", "Done"];

type Props = { id: string; name: string; role: string };

/** A workspace with its boards and its search. */
export function WorkspaceSection({ id, name, role }: Props) {
  const [text, setText] = useState("");
  const { boards: all, status, error } = useBoards(id);
  return (
    <section className="workspace" aria-label={name}>
      <WorkspaceTop id={id} name={name} role={role} />
      <input
        type="search"
        aria-label={`Search in ${name}`}
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
          const input = { workspacePublicId: id, name: boardName, lists };
          open("board", (await boards.board.create(input)).publicId);
        }}
      />
    </section>
  );
}

const countOf = (cards: number) => `${cards} ${cards === 1 ? "card" : "cards"}`;
