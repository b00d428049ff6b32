import { useSession } from "@workspace-board-service/client/react";
import { InvitePage } from "./account/invite-page.tsx";
import { NotificationsButton } from "./account/notifications-button.tsx";
import { SignInPage } from "./account/sign-in-page.tsx";
import { BoardPage } from "./board/board-page.tsx";
import { ActionMenu } from "./components/action-menu.tsx";
import { Connection, Failures } from "./components/status.tsx";
import { hrefOf, useRoute } from "./base/route.ts";
import { CardLink } from "./card/card-link.tsx";
import { HomePage } from "./workspace/home-page.tsx";

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
  const { page, id, card } = useRoute();
  if (page === "board") return <BoardPage key={id} id={id} openCard={card} />;
  if (page === "card") return <CardLink id={id} />;
  if (page === "invite") return <InvitePage code={id} />;
  return <HomePage />;
}
