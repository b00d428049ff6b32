import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { duringOutage } from "../../support/database.ts";
import { makeUser } from "../../support/make.ts";

const app = useApp({ isolated: true, env: { AUTH_RATE_LIMIT: "1" } });

const password = "a password for tests";

const post = async (path: string, body: object, token?: string) =>
  (await app().call({ method: "POST", path, body, token })).status;

test("an outage of the database counts for no limit of sign-ins", async () => {
  const { email, token } = await makeUser(app());
  const other = { email: "after-the-outage@example.com", password, name: "Other" };
  const calls: [path: string, body: object, status: number, token?: string][] = [
    ["/auth/register", other, 200],
    ["/auth/login", { email, password }, 200],
    ["/auth/password/reset-request", { email }, 200],
    ["/auth/refresh", { refreshToken: "unknown" }, 401],
    ["/auth/password/reset", { token: "unknown", newPassword: password }, 400],
    ["/auth/api-keys", { name: "Key", password }, 200, token],
  ];
  // A network has ten times AUTH_RATE_LIMIT attempts.
  const failures = await duringOutage(app(), async () => {
    const statuses = new Set<number>();
    for (const [path, body, , who] of calls) {
      for (let nth = 0; nth < 11; nth++) statuses.add(await post(path, body, who));
    }
    return [...statuses];
  });
  expect(failures.filter((status) => status < 500)).toEqual([]);
  app().errors.length = 0;
  for (const [path, body, status, who] of calls) {
    expect([path, await post(path, body, who)]).toEqual([path, status]);
  }
});
