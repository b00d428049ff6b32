import { codeOf } from "../../src/domain/factors/totp.ts";
import type { App } from "./app.ts";
import { authenticator } from "./authenticator.ts";
import type { User } from "./make.ts";

const password = "a password for tests";
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

type Owner = Pick<User, "rest" | "email">;

/** The bytes of a secret, as an app for authentication reads it. */
export function fromBase32(text: string): Buffer {
  const bits = Array.from(text)
    .map((char) => alphabet.indexOf(char).toString(2).padStart(5, "0"))
    .join("");
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

/** The code that an app for authentication shows, some steps of 30 s from now. */
export const codeAt = (app: App, secret: string, steps = 0) =>
  codeOf(fromBase32(secret), Math.floor(app.deps.clock().getTime() / 30_000) + steps);

/** What adds the codes of an app to an account. The code of now can still be used afterwards. */
export async function newTotp(app: App, { rest }: Owner) {
  const { body } = await rest.post("/second-factors/totp/start", {});
  return { setup: String(body.setup), code: codeAt(app, body.secret, -1), password };
}

/** Adds the codes of an app to an account; returns the answer, and the secret. */
export async function addTotp(app: App, { rest }: Owner) {
  const { body: begun } = await rest.post("/second-factors/totp/start", {});
  const { setup, secret } = begun;
  const input = { setup, code: codeAt(app, secret, -1), password };
  const { status, body } = await rest.post("/second-factors/totp", input);
  if (status !== 200) throw new Error(JSON.stringify(body));
  const { factor, recoveryCodes } = body;
  return { factor, recoveryCodes: recoveryCodes as string[], secret: String(secret) };
}

/** What adds a new passkey to an account. */
export async function newPasskey(app: App, { rest }: Owner) {
  const { body } = await rest.post("/second-factors/passkeys/start", {});
  const passkey = authenticator(new URL(app.deps.baseUrl).origin);
  return { setup: String(body.setup), passkey: passkey.create(body.options.challenge), password };
}

/** Signs in with the password alone; returns the challenge for the second factor. */
export async function challengeOf(app: App, { email }: Owner) {
  const { status, body } = await app.call({
    method: "POST",
    path: "/auth/login",
    body: { email, password },
  });
  if (status !== 403) throw new Error(JSON.stringify(body));
  return body.issues[0].secondFactor;
}
