import { pino } from "pino";
import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeUser } from "../../support/make.ts";
import { codeAt, newPasskey } from "../../support/second-factor.ts";
import { request, withDeps } from "../auth/account.ts";

const app = useApp();
const password = "a password for tests";

test("the log has no secret, no code and no challenge, also of what was refused", async () => {
  const lines: string[] = [];
  const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
  const send = withDeps(app(), { log });
  const owner = await makeUser(app());
  const post = (path: string, body: object, token?: string) =>
    send(request("POST", path, token, body));
  const { body: begun } = await post("/second-factors/totp/start", {}, owner.token);
  const first = codeAt(app(), begun.secret, -1);
  const add = { setup: begun.setup, code: first, password };
  await post("/second-factors/totp", { ...add, code: "999999x" }, owner.token);
  const { body: added } = await post("/second-factors/totp", add, owner.token);
  const made = await newPasskey(app(), owner);
  await post("/second-factors/passkeys", made, owner.token);
  const { body: refused } = await post("/auth/login", { email: owner.email, password });
  const { challenge } = refused.issues[0].secondFactor;
  const [recoveryCode] = added.recoveryCodes;
  await post("/auth/confirm", { challenge, code: first });
  await post("/auth/confirm", { challenge: 5, code: recoveryCode });
  const { status, body } = await post("/auth/confirm", { challenge, code: recoveryCode });
  expect(status).toBe(200);
  expect(lines.length).toBeGreaterThan(0);
  const logged = lines.join("\n");
  const secrets = { password, ...begun, challenge, recoveryCode, access: body.accessToken };
  const wrapped = { first: `"${first}"`, typed: "999999x", signed: made.setup };
  for (const [name, secret] of Object.entries({ ...secrets, ...wrapped })) {
    expect([name, logged.includes(String(secret))]).toEqual([name, false]);
  }
});
