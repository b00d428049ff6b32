import type { Constants } from "../../../src/platform/constants.ts";
import { afterAll, beforeAll } from "vitest";
import { startApp, type App } from "../../support/app.ts";
import { startGitHub, type FakeGitHub } from "../../support/github.ts";
import { startIssuer, type FakeIssuer } from "../../support/issuer.ts";
import { startKan, type FakeKan } from "../../support/kan.ts";
import { startPlanka, type FakePlanka } from "../../support/planka.ts";
import { startReceiver, type Receiver } from "../../support/receiver.ts";
import { startS3, type FakeS3 } from "../../support/s3.ts";
import { startSignInProvider, type SignInDouble } from "../../support/sign-in-provider.ts";
import { startTrello, type FakeTrello } from "../../support/trello.ts";
import { makeFixtures, type Fixtures } from "./fixtures.ts";

/** The admin key. */
export const adminKey = "the key of the operator";

/**
 * The service with everything around it that an operation may talk to, and one workspace that has
 * one of everything.
 */
export type World = {
  app: App;
  github: FakeGitHub;
  trello: FakeTrello;
  planka: FakePlanka;
  kan: FakeKan;
  receiver: Receiver;
  s3: FakeS3;
  issuer: FakeIssuer;
  google: SignInDouble;
  fixtures: Fixtures;
};

/**
 * The world of a file, with other constants of its app; an unforeseen failure in any of its tests
 * fails the file.
 */
export function useWorld(constants: Partial<Constants> = {}): () => World {
  let world: World | undefined;
  beforeAll(async () => {
    const [github, trello, planka, kan, receiver, s3, issuer, google] = await Promise.all([
      startGitHub(),
      startTrello(),
      startPlanka(),
      startKan(),
      startReceiver(),
      startS3(),
      startIssuer(),
      startSignInProvider(),
    ]);
    const app = await startApp({
      env: {
        ADMIN_KEY: adminKey,
        OIDC_ISSUER: issuer.url,
        OIDC_AUDIENCE: issuer.audience,
        SIGN_IN_PROVIDERS: JSON.stringify([
          { kind: "google", clientId: "boards", clientSecret: "a secret", issuer: google.url },
        ]),
        GITHUB_CLIENT_ID: github.clientId,
        GITHUB_CLIENT_SECRET: github.clientSecret,
        GITHUB_URL: github.url,
        GITHUB_API_URL: github.apiUrl,
        TRELLO_API_KEY: trello.apiKey,
        TRELLO_API_URL: trello.apiUrl,
        STORAGE_URL: s3.storageUrl,
        WEBHOOK_ALLOW_HTTP: "true",
        WEBHOOK_ALLOWED_SUBNETS: "127.0.0.0/8",
      },
      constants,
    });
    const fixtures = await makeFixtures(app, receiver.url);
    world = { app, github, trello, planka, kan, receiver, s3, issuer, google, fixtures };
  });
  afterAll(async () => {
    if (world === undefined) return;
    const { app, receiver, github, trello, planka, kan, s3, issuer, google } = world;
    await app.close();
    const providers = [github, trello, planka, kan, s3, issuer, google];
    await Promise.all([receiver.close(), ...providers.map((one) => one.stop())]);
    if (app.errors.length > 0) throw new Error(app.errors.join("\n"));
  });
  return () => {
    if (world === undefined) throw new Error("The world is there only inside tests.");
    return world;
  };
}
