import { afterAll } from "vitest";
import { startApp, type App } from "./app.ts";
import { startIssuer, type FakeIssuer } from "./issuer.ts";

/** Starts an issuer, and an app that accepts its tokens. Both stop at the end of the file. */
export async function startIssuerApp(
  env: Record<string, string> = {},
): Promise<{ app: App; issuer: FakeIssuer }> {
  const issuer = await startIssuer();
  const app = await startApp({
    env: { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: issuer.audience, ...env },
  });
  afterAll(async () => {
    await app.close();
    await issuer.stop();
    if (app.errors.length > 0) throw new Error(app.errors.join("\n"));
  });
  return { app, issuer };
}
