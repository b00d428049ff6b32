import { expect, test } from "vitest";
import { sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";
import { authenticator, type PasskeyFault } from "../../support/authenticator.ts";
import { useInstances, type Instance } from "../../support/instances.ts";
import { mailsTo } from "../../kernel/jobs/fixtures.ts";
import { makeUser } from "../../support/make.ts";
import { addTotp, challengeOf, codeAt, newTotp } from "../../support/second-factor.ts";

const app = useApp({ isolated: true });
const { race } = useInstances(app);
const password = "a password for tests";

const confirm = (body: object) => app().call({ method: "POST", path: "/auth/confirm", body });
const statusOf = async ({ fetch }: Instance, path: string, body: object) => {
  const headers = { "content-type": "application/json" };
  const request = { method: "POST", headers, body: JSON.stringify(body) };
  return (await fetch(new Request(`${app().deps.baseUrl}/api/v1${path}`, request))).status;
};
const codeOf = (reply: { body: any }) => reply.body.issues?.[0]?.code;

async function withTotp() {
  const owner = await makeUser(app());
  return { owner, ...(await addTotp(app(), owner)) };
}

test("an account with codes signs in in two steps", async () => {
  const { owner, secret } = await withTotp();
  const login = { email: owner.email, password };
  const refused = await app().call({ method: "POST", path: "/auth/login", body: login });
  expect([refused.status, codeOf(refused)]).toEqual([403, "second_factor_required"]);
  expect(JSON.stringify(refused.body)).not.toContain("Token");
  const { secondFactor } = refused.body.issues[0];
  expect(secondFactor).toMatchObject({ factors: ["totp", "recovery_code"], passkey: null });
  const { challenge } = secondFactor;
  const { status, body } = await confirm({ challenge, code: codeAt(app(), secret) });
  expect(status).toBe(200);
  expect(Object.keys(body).toSorted()).toEqual([
    "accessToken",
    "expiresAt",
    "refreshToken",
    "tokenType",
    "user",
  ]);
  const used = await confirm({ challenge, code: codeAt(app(), secret, 1) });
  expect([used.status, codeOf(used)]).toEqual([401, "challenge_invalid"]);
});

test("a code works once, also in another sign-in", async () => {
  const { owner, secret } = await withTotp();
  const code = codeAt(app(), secret);
  const first = await confirm({ challenge: (await challengeOf(app(), owner)).challenge, code });
  const again = await confirm({ challenge: (await challengeOf(app(), owner)).challenge, code });
  expect([first.status, again.status, codeOf(again)]).toEqual([200, 401, "second_factor_wrong"]);
});

test.each(["totp", "recovery"])(
  "of four calls with one code at once, on two instances, one signs in: %s",
  async (kind) => {
    const { owner, secret, recoveryCodes } = await withTotp();
    const code = kind === "totp" ? codeAt(app(), secret) : recoveryCodes[0];
    const challenges = await race(4, async () => (await challengeOf(app(), owner)).challenge);
    const statuses = await race(4, (instance, nth) =>
      statusOf(instance, "/auth/confirm", { challenge: challenges[nth], code }),
    );
    expect(statuses.toSorted()).toEqual([200, 401, 401, 401]);
  },
);

test("a challenge is used once, on two instances at the same moment", async () => {
  const { owner, recoveryCodes } = await withTotp();
  const { challenge } = await challengeOf(app(), owner);
  const statuses = await race(4, (instance, nth) =>
    statusOf(instance, "/auth/confirm", { challenge, code: recoveryCodes[nth] }),
  );
  expect(statuses.toSorted()).toEqual([200, 401, 401, 401]);
});

test("a recovery code works once, as it is typed", async () => {
  const { owner, recoveryCodes } = await withTotp();
  expect(recoveryCodes).toHaveLength(10);
  expect(new Set(recoveryCodes).size).toBe(10);
  const [first = ""] = recoveryCodes;
  const typed = ` ${first.toUpperCase().replaceAll("-", " ")}`;
  const { challenge } = await challengeOf(app(), owner);
  const { status, body } = await confirm({ challenge, code: typed });
  expect(status).toBe(200);
  const again = await confirm({
    challenge: (await challengeOf(app(), owner)).challenge,
    code: first,
  });
  expect(codeOf(again)).toBe("second_factor_wrong");
  const { body: listed } = await app().call({
    method: "GET",
    path: "/second-factors",
    token: body.accessToken,
  });
  expect(listed.recoveryCodes).toBe(9);
});

test("after five wrong codes the account waits, whatever comes then", async () => {
  const { owner, secret } = await withTotp();
  const { challenge } = await challengeOf(app(), owner);
  const right = codeAt(app(), secret);
  const wrong = right === "000000" ? "000001" : "000000";
  for (let tries = 0; tries < 5; tries++) {
    expect((await confirm({ challenge, code: wrong })).status).toBe(401);
  }
  const limited = await confirm({ challenge, code: right });
  expect([limited.status, codeOf(limited)]).toEqual([429, "rate_limited"]);
  expect(limited.headers.get("retry-after")).not.toBeNull();
});

test("the codes of one account are none of another's", async () => {
  const [ada, bob] = [await withTotp(), await withTotp()];
  const { challenge } = await challengeOf(app(), ada.owner);
  for (const code of [codeAt(app(), bob.secret), bob.recoveryCodes[0]]) {
    expect((await confirm({ challenge, code })).status).toBe(401);
  }
});

test("a challenge ends after five minutes, and with a new password", async () => {
  const { owner, secret } = await withTotp();
  const { challenge } = await challengeOf(app(), owner);
  const newPassword = "another password for tests";
  await owner.rest.put("/auth/password", { currentPassword: password, newPassword });
  const ended = await confirm({ challenge, code: codeAt(app(), secret) });
  expect(codeOf(ended)).toBe("challenge_invalid");
  const other = await withTotp();
  const late = (await challengeOf(app(), other.owner)).challenge;
  app().advance(5 * 60_000);
  try {
    const expired = await confirm({ challenge: late, code: codeAt(app(), other.secret) });
    expect(codeOf(expired)).toBe("challenge_invalid");
  } finally {
    app().resetClock();
  }
});

test("the first factor ends the other sessions; keys go on working", async () => {
  const owner = await makeUser(app());
  const body = { email: owner.email, password };
  const other = await app().call({ method: "POST", path: "/auth/login", body });
  const key = await owner.rest.post("/auth/api-keys", { name: "Program", password });
  await addTotp(app(), owner);
  const me = async (token: string) =>
    (await app().call({ method: "GET", path: "/users/me", token })).status;
  expect(await me(owner.token)).toBe(200);
  expect(await me(other.body.accessToken)).toBe(401);
  expect(await me(key.body.key)).toBe(200);
  const refresh = { refreshToken: other.body.refreshToken };
  const refreshed = await app().call({ method: "POST", path: "/auth/refresh", body: refresh });
  expect(refreshed.status).toBe(401);
});

test("adding and removing asks for the password, and tells the owner", async () => {
  const owner = await makeUser(app());
  const { password: _, ...without } = await newTotp(app(), owner);
  expect(codeOf(await owner.rest.post("/second-factors/totp", without))).toBe("required");
  const wrong = await owner.rest.post("/second-factors/totp", { ...without, password: "wrong" });
  expect(codeOf(wrong)).toBe("wrong_password");
  const { factor } = await addTotp(app(), owner);
  const twice = await owner.rest.post("/second-factors/totp", await newTotp(app(), owner));
  expect([twice.status, codeOf(twice)]).toEqual([409, "totp_exists"]);
  const path = `/second-factors/${factor.publicId}`;
  expect(codeOf(await owner.rest.delete(path, {}))).toBe("required");
  const renamed = await owner.rest.put(path, { name: "Phone" });
  expect(renamed.body).toMatchObject({ name: "Phone", type: "totp", lastUsedAt: null });
  const { body: codes } = await owner.rest.post("/second-factors/recovery-codes", { password });
  expect(codes.recoveryCodes).toHaveLength(10);
  expect((await owner.rest.delete(path, { password })).status).toBe(200);
  expect((await owner.rest.get("/second-factors")).body).toEqual({ factors: [], recoveryCodes: 0 });
  const none = await owner.rest.post("/second-factors/recovery-codes", { password });
  expect(codeOf(none)).toBe("no_second_factor");
  const mails = (await mailsTo(app(), owner.email)).map(({ subject }) => subject);
  expect(mails).toEqual([
    "A second factor was added",
    "New recovery codes",
    "A second factor was removed",
  ]);
  const login = { email: owner.email, password };
  expect((await app().call({ method: "POST", path: "/auth/login", body: login })).status).toBe(200);
});

test("a set-up belongs to its account, and ends after ten minutes", async () => {
  const [ada, bob] = [await makeUser(app()), await makeUser(app())];
  const ofAda = await newTotp(app(), ada);
  const stolen = await bob.rest.post("/second-factors/totp", ofAda);
  expect([stolen.status, codeOf(stolen)]).toEqual([400, "token_invalid"]);
  const bad = await ada.rest.post("/second-factors/totp", { ...ofAda, code: "000 000" });
  expect(codeOf(bad)).toBe("code_wrong");
});

/** An account with a passkey. */
async function withPasskey() {
  const owner = await makeUser(app());
  const { body: begun } = await owner.rest.post("/second-factors/passkeys/start", {});
  const passkey = authenticator(new URL(app().deps.baseUrl).origin);
  const input = {
    setup: begun.setup,
    passkey: passkey.create(begun.options.challenge),
    name: "Laptop",
    password,
  };
  const { status, body } = await owner.rest.post("/second-factors/passkeys", input);
  expect(status).toBe(200);
  return { owner, passkey, input, body, options: begun.options };
}

test("a passkey signs in", async () => {
  const { owner, passkey, body, options } = await withPasskey();
  expect(body.factor).toMatchObject({ type: "passkey", name: "Laptop" });
  expect(body.recoveryCodes).toHaveLength(10);
  expect(options).toMatchObject({ attestation: "none", user: { name: owner.email } });
  const { challenge, factors, passkey: request } = await challengeOf(app(), owner);
  expect(factors).toEqual(["passkey", "recovery_code"]);
  expect(request.allowCredentials).toEqual([
    { id: passkey.id, type: "public-key", transports: ["internal"] },
  ]);
  const signed = passkey.sign(request.challenge);
  expect((await confirm({ challenge, passkey: signed })).status).toBe(200);
  const again = await confirm({ challenge, passkey: signed });
  expect(codeOf(again)).toBe("challenge_invalid");
});

const faults: [string, PasskeyFault][] = [
  ["another origin", { origin: "https://phishing.example" }],
  ["another host", { rpId: "phishing.example" }],
  ["another challenge", { challenge: "AAECAwQFBgcICQoLDA0ODw" }],
  ["no check of the person", { isVerified: false }],
];

test.each(faults)("a passkey of %s is refused", async (_, fault) => {
  const owner = await makeUser(app());
  const { body: begun } = await owner.rest.post("/second-factors/passkeys/start", {});
  const origin = new URL(app().deps.baseUrl).origin;
  const made = authenticator(origin).create(begun.options.challenge, fault);
  const added = await owner.rest.post("/second-factors/passkeys", {
    setup: begun.setup,
    passkey: made,
    password,
  });
  expect([added.status, codeOf(added)]).toEqual([400, "passkey_invalid"]);
  const { owner: other, passkey } = await withPasskey();
  const { challenge, passkey: request } = await challengeOf(app(), other);
  const refused = await confirm({ challenge, passkey: passkey.sign(request.challenge, fault) });
  expect([refused.status, codeOf(refused)]).toEqual([401, "second_factor_wrong"]);
});

test("a passkey whose counter goes back was copied: it is refused", async () => {
  const { owner, passkey } = await withPasskey();
  const sign = async (counter: number) => {
    const { challenge, passkey: request } = await challengeOf(app(), owner);
    return confirm({ challenge, passkey: passkey.sign(request.challenge, { counter }) });
  };
  expect((await sign(5)).status).toBe(200);
  expect(codeOf(await sign(5))).toBe("second_factor_wrong");
  expect(codeOf(await sign(4))).toBe("second_factor_wrong");
  expect((await sign(6)).status).toBe(200);
});

test("passkeys with certificates are refused: nobody follows addresses in them", async () => {
  const owner = await makeUser(app());
  const { body: begun } = await owner.rest.post("/second-factors/passkeys/start", {});
  const passkey = authenticator(new URL(app().deps.baseUrl).origin).create(begun.options.challenge);
  const object = Buffer.from(passkey.response.attestationObject, "base64url");
  // {"fmt": "none", "attStmt": {}} becomes {"fmt": "none", "attStmt": {"x5c": []}}.
  const at = object.indexOf(Buffer.from("attStmt")) + 7;
  const withCertificates = Buffer.concat([
    object.subarray(0, at),
    Buffer.from([0xa1, 0x63]),
    Buffer.from("x5c"),
    Buffer.from([0x80]),
    object.subarray(at + 1),
  ]);
  const response = {
    ...passkey.response,
    attestationObject: withCertificates.toString("base64url"),
  };
  const added = await owner.rest.post("/second-factors/passkeys", {
    setup: begun.setup,
    passkey: { ...passkey, response },
    password,
  });
  expect(codeOf(added)).toBe("passkey_invalid");
});

test("a passkey cannot be added twice, nor to another account", async () => {
  const { owner, input } = await withPasskey();
  const twice = await owner.rest.post("/second-factors/passkeys", input);
  expect([twice.status, codeOf(twice)]).toEqual([409, "passkey_exists"]);
});

test("the secret is sealed again with the present secret of the service when it is used", async () => {
  const { owner, secret } = await withTotp();
  const sealed = async () => {
    const [row] = await app().db.read<{ secret: string }>(sql`SELECT f.secret FROM second_factors f
      JOIN users u ON u.id = f."userId" WHERE u.email = ${owner.email}`);
    return row?.secret;
  };
  const before = await sealed();
  const { challenge } = await challengeOf(app(), owner);
  expect((await confirm({ challenge, code: codeAt(app(), secret) })).status).toBe(200);
  expect(await sealed()).not.toBe(before);
});
