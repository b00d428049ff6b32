import { useEffect } from "react";
import { useSession, useWorkspaces } from "@workspace-board-service/client/react";
import { NameForm } from "../components/name-form.tsx";
import { hrefOf } from "../base/route.ts";
import { boards, messageOf } from "../base/service.ts";
import { MyCards } from "./my-cards.tsx";
import { WorkspaceSection } from "./workspace-section.tsx";

const create = (name: string) => boards.workspace.create({ name });

/** The workspaces of the user, each with its boards, and the cards of the user. */
export function HomePage() {
  const { status, data, error } = useWorkspaces();
  useEffect(() => {
    document.title = "Boards";
  }, []);
  return (
    <main className="page">
      {data?.length === 0 && <FirstSteps />}
      <h1>Workspaces</h1>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      {status === "loading" && <p className="hint">Loading…</p>}
      {status === "offline" && (
        <p className="hint">You are offline, and the workspaces are not stored yet.</p>
      )}
      {data?.map(({ role, workspace }) => (
        <WorkspaceSection
          key={workspace.publicId}
          id={workspace.publicId}
          name={workspace.name}
          role={role}
        />
      ))}
      {data !== undefined && data.length > 0 && <MyCards />}
      <section className="new-workspace">
        <h2>{data?.length === 0 ? "Your first workspace" : "Another workspace"}</h2>
        <NameForm label="New workspace" button="Create" onSubmit={create} />
      </section>
    </main>
  );
}

function FirstSteps() {
  const { user } = useSession();
  return (
    <section className="first-steps">
      <h1>Hello, {user?.name}</h1>
      <ol>
        <li>
          <strong>Create a workspace</strong> for a team or a project.
        </li>
        <li>
          <strong>Create a board</strong> in it, and add cards to its lists.
        </li>
        <li>
          <strong>Invite others:</strong> what they change shows here at once. Try it in a second
          window.
        </li>
      </ol>
      <p className="hint">
        Everything here uses the public API. <a href={hrefOf()}>This page</a> also works offline.
      </p>
    </section>
  );
}
