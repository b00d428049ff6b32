import { paginate } from "@workspace-board-service/client";
import { cookies } from "next/headers";
import Link from "next/link";
import { sessions } from "../../sessions";
import { createBoard } from "../actions";
import { signOut } from "../sign-in/actions";

export default async function Page() {
  const boards = sessions.client(await cookies());
  const memberships = await boards.workspace.list();
  const workspaces = await Promise.all(
    memberships.map(async ({ workspace }) => {
      const all = [];
      const inWorkspace = { workspacePublicId: workspace.publicId };
      for await (const board of paginate(boards.board.list, inWorkspace)) all.push(board);
      return { ...workspace, boards: all };
    }),
  );
  return (
    <main>
      {workspaces.length === 0 && (
        <form action={createBoard}>
          <h1>Your first board</h1>
          <label>
            Name <input name="name" required />
          </label>{" "}
          <button>Create</button>
        </form>
      )}
      {workspaces.map((workspace) => (
        <section key={workspace.publicId}>
          <h1>{workspace.name}</h1>
          {workspace.boards.length === 0 && <p>This workspace has no boards.</p>}
          {workspace.boards.map(({ publicId, name }) => (
            <p key={publicId}>
              <Link href={`/boards/${publicId}`}>{name}</Link>
            </p>
          ))}
        </section>
      ))}
      <form action={signOut}>
        <button>Sign out</button>
      </form>
    </main>
  );
}
