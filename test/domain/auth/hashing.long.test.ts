import { expect, test } from "vitest";
import { realPasswordHashing, useApp } from "../../support/app.ts";
import { freshEmail, signUp } from "./account.ts";

// The other tests hash passwords with a low cost.
const app = useApp({ constants: realPasswordHashing });

test("auth.register stores the password as argon2id with the default cost", async () => {
  const { user } = await signUp(app());
  const row = await app().db.reader.user.findUnique({ where: { email: user.email } });
  expect(row?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
});

test("auth.login takes the same CPU time for an unknown address and a wrong password", async () => {
  const { user } = await signUp(app());
  const took = async (email: string) => {
    const body = { email, password: "not the password" };
    const start = process.cpuUsage();
    await app().call({ method: "POST", path: "/auth/login", body });
    const { user: own, system } = process.cpuUsage(start);
    return own + system;
  };
  const times = { unknown: [] as number[], wrong: [] as number[] };
  for (let round = 0; round < 15; round++) {
    times.unknown.push(await took(freshEmail()));
    times.wrong.push(await took(user.email));
  }
  // The least of each, which has no other work of this process.
  const [unknown, wrong] = [Math.min(...times.unknown), Math.min(...times.wrong)];
  // Without a hash to verify, an answer takes a tenth of it.
  expect(unknown).toBeGreaterThan(wrong * 0.6);
  expect(wrong).toBeGreaterThan(unknown * 0.6);
});
