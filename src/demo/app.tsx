import { useSession } from "@workspace-board-service/client/react";
import { useEffect, useState } from "react";
import { NotificationsButton } from "./account/notifications-button.tsx";
import { ProfileDialog } from "./account/profile-dialog.tsx";
import { ResetPage } from "./account/reset-page.tsx";
import { SignInPage } from "./account/sign-in-page.tsx";
import { BoardPage } from "./board/board-page.tsx";
import { ActionMenu } from "./components/action-menu.tsx";
import { Boundary } from "./components/boundary.tsx";
import { Icon } from "./components/icon.tsx";
import { PageTitle } from "./components/page-title.tsx";
import { Shortcuts } from "./components/shortcuts.tsx";
import { Connection, Failures } from "./components/status.tsx";
import { hrefOf, useRoute, open, replace } from "./base/route.ts";
import { ViewPage } from "./views/view-page.tsx";
import { HomePage } from "./workspace/home-page.tsx";
import { useCall } from "./components/use-call.ts";
import { boards, messageOf } from "./base/service.ts";
import { useQuery } from "./base/use-query.ts";
import { useUser } from "./base/use-user.ts";

/** Opens the board of a card, with the card. */
function CardLink({ id }: { id: string }) {
  const { data, error } = useQuery(`card ${id}`, (signal) =>
    boards.card.get({ cardPublicId: id }, { signal }),
  );
  useEffect(() => {
    if (data !== undefined) replace("board", data.boardPublicId, id);
  }, [data, id]);
  return (
    <main id="main" className="page" tabIndex={-1}>
      <PageTitle title="Card" />
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
    <main id="main" className="page narrow" tabIndex={-1}>
      <PageTitle title="Invitation" />
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
  const { status, user } = useSession();
  const { page } = useRoute();
  if (page === "reset-password") return <ResetPage />;
  if (status === "loading") return null;
  if (user === undefined || page === "sign-in") return <SignInPage />;
  return (
    <>
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          // The address names a page.
          event.preventDefault();
          document.querySelector<HTMLElement>("#main")?.focus();
        }}
      >
        Skip to the content
      </a>
      <header className="top">
        <a href={hrefOf()}>Boards</a>
        <Connection />
        <Boundary name="The notifications">
          <NotificationsButton />
        </Boundary>
        <AccountMenu />
      </header>
      <Page />
      <Failures />
      <Shortcuts />
    </>
  );
}

function AccountMenu() {
  const { signOut } = useSession();
  const { user } = useUser();
  const [isProfile, setIsProfile] = useState(false);
  if (user === undefined) return null;
  return (
    <>
      <ActionMenu
        label={`Account of ${user.name}`}
        actions={[
          { name: "Profile", run: () => setIsProfile(true) },
          { name: "Guides and reference", run: () => window.open("docs", "_blank", "noopener") },
          { name: "Sign out", run: () => void signOut() },
        ]}
      >
        <Icon name="account" /> <span className="wide">{user.name}</span>
      </ActionMenu>
      {isProfile && <ProfileDialog onClose={() => setIsProfile(false)} />}
    </>
  );
}

function Page() {
  const { page, ids } = useRoute();
  const [id = "", second = "", third = ""] = ids;
  return (
    <Boundary key={`${page} ${id} ${page === "view" ? second : ""}`} name="This page">
      {page === "board" ? (
        <BoardPage id={id} openCard={second} />
      ) : page === "view" ? (
        <ViewPage workspace={id} id={second} openCard={third} />
      ) : page === "card" ? (
        <CardLink id={id} />
      ) : page === "invite" ? (
        <InvitePage code={id} />
      ) : (
        <HomePage />
      )}
    </Boundary>
  );
}
