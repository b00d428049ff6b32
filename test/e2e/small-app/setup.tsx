import { createClient } from "@workspace-board-service/client";
import { SessionProvider } from "@workspace-board-service/client/react";
import { createSession } from "@workspace-board-service/client/store";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";

// The plumbing of the application: all else is in its components.
const client = createClient({ url: location.origin, auth: { storage: "local" } });
const session = createSession(client);
createRoot(document.body).render(
  <SessionProvider session={session}>
    <App />
  </SessionProvider>,
);
