import { afterAll, beforeAll } from "vitest";
import type { Deps } from "../../../src/kernel/request/deps.ts";
import { startApp, type App, type Reply } from "../../support/app.ts";
import { runDue } from "../../support/jobs.ts";
import type { Workspace } from "../../support/make.ts";
import { startTrello, type FakeTrello } from "../../support/trello.ts";
import { read } from "./importing.ts";

type Running = { app: App; trello: FakeTrello };

/** An app whose imports call a Trello of the test. */
export function useTrello() {
  let running: Running | undefined;
  const started = (): Running => {
    if (running === undefined) throw new Error("The app is there only inside tests.");
    return running;
  };
  beforeAll(async () => {
    const trello = await startTrello();
    const local = { WEBHOOK_ALLOW_HTTP: "true", WEBHOOK_ALLOWED_SUBNETS: "127.0.0.0/8" };
    const app = await startApp({ env: { TRELLO_API_URL: trello.apiUrl, ...local } });
    running = { app, trello };
  });
  afterAll(async () => {
    const { app, trello } = started();
    await app.close();
    await trello.stop();
    if (app.errors.length > 0) throw new Error(app.errors.join("\n"));
  });

  /** Requests boards of Trello. */
  const ask = (home: Workspace, boardIds: string[], more: object = {}): Promise<Reply> => {
    const { apiKey, token } = started().trello;
    const input = { workspacePublicId: home.publicId, boardIds, apiKey, token, ...more };
    return home.admin.rest.post("/imports/trello/boards", input);
  };

  /** Imports boards of Trello with other dependencies on request, and waits for the end. */
  const bring = async (home: Workspace, boardIds: string[], more: object = {}, deps?: Deps) => {
    const { status, body } = await ask(home, boardIds, more);
    if (status !== 200) throw new Error(JSON.stringify(body));
    await runDue(deps ?? started().app.deps);
    return read(home, body.publicId);
  };

  return { app: () => started().app, trello: () => started().trello, ask, bring };
}
