import { useSession, useWorkspaces } from "@workspace-board-service/client/react";
import { Boundary } from "../components/boundary.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { NameForm } from "../components/name-form.tsx";
import { hrefOf } from "../base/route.ts";
import { boards, messageOf } from "../base/service.ts";
import { WorkspaceSection } from "./workspace-section.tsx";
import { Due } from "../components/parts.tsx";
import { useQuery } from "../base/use-query.ts";

/** The open cards that are assigned to the user, the most urgent first. */
function MyCards() {
  const { data } = useQuery("my cards", (signal) => boards.user.cards({ limit: 8 }, { signal }));
  const open = data?.items.filter(({ isComplete }) => !isComplete) ?? [];
  if (open.length === 0) return null;
  return (
    <section aria-label="Your cards">
      <h2>Your cards</h2>
      <ul className="my-cards">
        {open.map((card) => (
          <li key={card.publicId}>
            <a href={hrefOf("card", card.publicId)}>{card.title}</a>
            <small>{card.cardNumber}</small>
            {card.dueDate !== null && (
              <Due date={card.dueDate} isAllDay={card.isDueAllDay} isComplete={false} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const create = (name: string) => boards.workspace.create({ name });

/** The workspaces of the user, each with its boards, and the cards of the user. */
export function HomePage() {
  const { status, data, error } = useWorkspaces();
  return (
    <main id="main" className="page" tabIndex={-1}>
      <PageTitle title="Boards">Workspaces</PageTitle>
      {data?.length === 0 && <FirstSteps />}
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      {status === "loading" && <p className="hint">Loading…</p>}
      {status === "offline" && (
        <p className="hint">You are offline, and the workspaces are not stored yet.</p>
      )}
      {data?.map(({ role, workspace }) => (
        <Boundary key={workspace.publicId} name={`The workspace ${workspace.name}`}>
          <WorkspaceSection id={workspace.publicId} name={workspace.name} role={role} />
        </Boundary>
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
      <h2>Hello, {user?.name}</h2>
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
