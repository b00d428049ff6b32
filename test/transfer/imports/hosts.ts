import { afterAll, beforeAll } from "vitest";
import type { Deps } from "../../../src/kernel/request/deps.ts";
import { startApp, type App, type Reply } from "../../support/app.ts";
import { runDue } from "../../support/jobs.ts";
import type { Workspace } from "../../support/make.ts";
import type { StandIn } from "../../support/stand-in.ts";
import { read } from "./importing.ts";

/** Settings that let an app call services of the test. */
const local = { WEBHOOK_ALLOW_HTTP: "true", WEBHOOK_ALLOWED_SUBNETS: "127.0.0.0/8" };

/** An app whose imports from `path` call a service of the test with a credential. */
export function useHost<Host extends StandIn>(
  path: string,
  startHost: () => Promise<Host>,
  credentialOf: (host: Host) => object,
) {
  let running: { app: App; host: Host } | undefined;
  const started = () => {
    if (running === undefined) throw new Error("The app is there only inside tests.");
    return running;
  };
  beforeAll(async () => {
    const host = await startHost();
    running = { host, app: await startApp({ env: local }) };
  });
  afterAll(async () => {
    const { app, host } = started();
    await app.close();
    await host.stop();
    if (app.errors.length > 0) throw new Error(app.errors.join("\n"));
  });
  const ask = (home: Workspace, more: object = {}): Promise<Reply> => {
    const { host } = started();
    const credential = credentialOf(host);
    const input = { workspacePublicId: home.publicId, url: host.url, ...credential, ...more };
    return home.admin.rest.post(path, input);
  };
  /** Imports to the end, with other dependencies on request. */
  const bring = async (home: Workspace, more: object = {}, deps?: Deps): Promise<any> => {
    const { status, body } = await ask(home, more);
    if (status !== 200) throw new Error(JSON.stringify(body));
    await runDue(deps ?? started().app.deps);
    return read(home, body.publicId);
  };
  return { app: () => started().app, host: () => started().host, ask, bring };
}

/** Whether `found` is the sum of the outcomes of every kind. */
export const addsUp = ({ counts }: any): boolean =>
  Object.values<any>(counts).every(
    ({ found, created, alreadyThere, leftOut }) => found === created + alreadyThere + leftOut,
  );
