import { useState, useSyncExternalStore } from "react";
import { StoreProvider } from "@workspace-board-service/client/react";
import { BoardPage } from "./board-page.tsx";
import { currentSession, messageOf, onSession, signOut } from "./client.ts";
import { hrefOf, useRoute } from "./route.ts";
import { SignInPage } from "./sign-in-page.tsx";
import { Connection, Failures } from "./status.tsx";
import { WorkspacesPage } from "./workspaces-page.tsx";

/** The application: the sign-in, or the page that the address names. */
export function App() {
  const session = useSyncExternalStore(onSession, currentSession);
  if (session === undefined) return <SignInPage />;
  return (
    <StoreProvider store={session.store}>
      <header className="top">
        <a href={hrefOf()}>Boards</a>
        <Connection />
        <span className="user">{session.user.name}</span>
        <SignOut />
      </header>
      <Page key={session.user.publicId} />
      <Failures />
    </StoreProvider>
  );
}

function SignOut() {
  const [error, setError] = useState("");
  return (
    <>
      {error !== "" && <span role="alert">{error}</span>}
      <button
        type="button"
        onClick={() => void signOut().catch((failure: unknown) => setError(messageOf(failure)))}
      >
        Sign out
      </button>
    </>
  );
}

function Page() {
  const { page, id, card } = useRoute();
  if (page === "board") return <BoardPage key={id} id={id} openCard={card} />;
  return <WorkspacesPage />;
}
