import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { makeUser } from "../../support/make.ts";
import { useRoundTrips } from "../../support/round-trips.ts";
import { freshEmail } from "./account.ts";

const app = useApp({ isolated: true });
const count = useRoundTrips();

const calls = {
  "/auth/login": (email: string) => ({ email, password: "not the password" }),
  "/auth/password/reset-request": (email: string) => ({ email }),
};

test.each(Object.entries(calls))(
  "POST %s sends the same statements for an address with an account and one without",
  async (path, bodyOf) => {
    const { email } = await makeUser(app());
    const replies: unknown[] = [];
    const statementsOf = async (address: string) => {
      const { statements } = await count(async () => {
        const { status, body } = await as(app()).rest.post(path, bodyOf(address));
        replies.push({ status, ...body, requestId: "" });
      });
      return statements;
    };
    // The first call loads what later ones have in memory.
    await statementsOf(freshEmail());
    expect(await statementsOf(email)).toEqual(await statementsOf(freshEmail()));
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
  },
);
