import { useSession } from "@workspace-board-service/client/react";
import { useEffect } from "react";
import { NotificationsButton } from "./account/notifications-button.tsx";
import { SignInPage } from "./account/sign-in-page.tsx";
import { BoardPage } from "./board/board-page.tsx";
import { ActionMenu } from "./components/action-menu.tsx";
import { Connection, Failures } from "./components/status.tsx";
import { hrefOf, useRoute, open, replace } from "./base/route.ts";
import { ViewPage } from "./views/view-page.tsx";
import { HomePage } from "./workspace/home-page.tsx";
import { useCall } from "./components/use-call.ts";
import { boards, messageOf } from "./base/service.ts";
import { useQuery } from "./base/use-query.ts";

/** Opens the board of a card, with the card. */
function CardLink({ id }: { id: string }) {
  const { data, error } = useQuery(`card ${id}`, (signal) =>
    boards.card.get({ cardPublicId: id }, { signal }),
  );
  useEffect(() => {
    if (data !== undefined) replace("board", data.boardPublicId, id);
  }, [data, id]);
  return (
    <main className="page">
      {error === undefined ? <p>Loading…</p> : <p role="alert">{messageOf(error)}</p>}
    </main>
  );
}

/** An invitation by link: who accepts it joins the workspace. */
function InvitePage({ code }: { code: string }) {
  const { data, error: unread } = useQuery(`invite ${code}`, (signal) =>
    boards.invite.get({ inviteCode: code }, { signal }),
  );
  const { error = unread, isBusy, run } = useCall();
  return (
    <main className="page narrow">
      <h1>Invitation</h1>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      {data !== undefined && (
        <>
          <p>
            You are invited to <strong>{data.workspaceName}</strong> as {data.role}.
          </p>
          <button
            type="button"
            className="primary"
            disabled={isBusy}
            onClick={() =>
              run(
                () => boards.invite.accept({ inviteCode: code }),
                () => open(),
              )
            }
          >
            Join the workspace
          </button>
        </>
      )}
    </main>
  );
}

/** The application: the sign-in, or the page that the address names. */
export function App() {
  const { status, user, signOut } = useSession();
  const { page } = useRoute();
  if (status === "loading") return null;
  if (user === undefined || page.startsWith("sign-in")) return <SignInPage />;
  return (
    <>
      <header className="top">
        <a href={hrefOf()}>Boards</a>
        <Connection />
        <NotificationsButton />
        <ActionMenu
          label={`Account of ${user.name}`}
          actions={[
            { name: "Guides and reference", run: () => window.open("docs", "_blank", "noopener") },
            { name: "Sign out", run: () => void signOut() },
          ]}
        >
          {user.name}
        </ActionMenu>
      </header>
      <Page />
      <Failures />
    </>
  );
}

function Page() {
  const { page, ids } = useRoute();
  const [id = "", second = "", third = ""] = ids;
  if (page === "board") return <BoardPage key={id} id={id} openCard={second} />;
  if (page === "view") return <ViewPage key={second} workspace={id} id={second} openCard={third} />;
  if (page === "card") return <CardLink id={id} />;
  if (page === "invite") return <InvitePage code={id} />;
  return <HomePage />;
}
