import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { SessionProvider } from "@workspace-board-service/client/react";
import { App } from "./app.tsx";
import { session } from "./base/service.ts";
import "./style/base.css";
import "./style/components.css";
import "./style/workspace.css";
import "./style/board.css";
import "./style/card.css";

const element = document.querySelector("#app");
if (element === null) throw new Error("The page has no #app.");
createRoot(element).render(
  <StrictMode>
    <SessionProvider session={session}>
      <App />
    </SessionProvider>
  </StrictMode>,
);

// The page opens without a network. A browser that forbids it still shows the page.
void navigator.serviceWorker
  ?.register("demo/service-worker.js", { scope: "demo" })
  .catch(() => undefined);
