import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { resumeSession } from "./client.ts";
import "./style.css";

const element = document.querySelector("#app");
if (element === null) throw new Error("The page has no #app.");
resumeSession();
createRoot(element).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
