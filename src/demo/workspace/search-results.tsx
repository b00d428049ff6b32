import { useSearch } from "@workspace-board-service/client/react";
import { hrefOf } from "../base/route.ts";
import { messageOf } from "../base/service.ts";

/** What a search in a workspace finds. */
export function SearchResults({ workspace, text }: { workspace: string; text: string }) {
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
