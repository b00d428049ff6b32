import { useState } from "react";
import { paginate } from "@workspace-board-service/client";
import { allOf } from "./all-of.ts";
import { boards, messageOf } from "./client.ts";
import { NameForm } from "./name-form.tsx";
import { hrefOf, open } from "./route.ts";
import { useQuery } from "./use-query.ts";

/** The workspaces of the user, each with its boards. */
export function WorkspacesPage() {
  const { data, error, reload } = useQuery("workspaces", (signal) =>
    boards.workspace.list(undefined, { signal }),
  );
  return (
    <main className="page">
      <h1>Workspaces</h1>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      {data?.map(({ workspace: { publicId, name } }) => (
        <Workspace key={publicId} id={publicId} name={name} />
      ))}
      <NameForm
        label="New workspace"
        onSubmit={async (name) => {
          await boards.workspace.create({ name });
          reload();
        }}
      />
    </main>
  );
}

function Workspace({ id, name }: { id: string; name: string }) {
  const [text, setText] = useState("");
  const { data, error } = useQuery(id, (signal) =>
    allOf(paginate((page) => boards.board.list(page, { signal }), { workspacePublicId: id })),
  );
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      <input
        type="search"
        aria-label={`Search in ${name}`}
        placeholder="Search cards, comments and boards"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {text.trim().length > 1 && <Results workspace={id} text={text.trim()} />}
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      <ul className="tiles">
        {data?.map((board) => (
          <li key={board.publicId}>
            <a href={hrefOf("board", board.publicId)}>{board.name}</a>
          </li>
        ))}
      </ul>
      <NameForm
        label="New board"
        onSubmit={async (boardName) => {
          const lists = ["To do", "In progress", "Done"];
          const input = { workspacePublicId: id, name: boardName, lists };
          open("board", (await boards.board.create(input)).publicId);
        }}
      />
    </section>
  );
}

function Results({ workspace, text }: { workspace: string; text: string }) {
  const { data, error } = useQuery(`${workspace} ${text}`, (signal) =>
    boards.workspace.search({ workspacePublicId: workspace, query: text }, { signal }),
  );
  if (error !== undefined) return <p role="alert">{messageOf(error)}</p>;
  if (data === undefined) return null;
  return (
    <ul className="results" aria-label="Results">
      {data.items.map((hit) => (
        <li key={hit.publicId}>
          <a
            href={hrefOf(
              "board",
              hit.boardPublicId,
              ...(hit.cardPublicId ? [hit.cardPublicId] : []),
            )}
          >
            {hit.title}
          </a>{" "}
          <small>{hit.boardName}</small>
        </li>
      ))}
      {data.items.length === 0 && <li>Nothing found.</li>}
    </ul>
  );
}
