import { describe, expect, test } from "vitest";
import { signUp } from "../auth/account.ts";
import { useApp } from "../../support/app.ts";
import { setDeleted } from "../../support/rows.ts";

const app = useApp();

describe("user.me", () => {
  test("returns the caller's account with its version as ETag", async () => {
    const { accessToken: token, user } = await signUp(app());
    const { status, body, headers } = await app().call({ method: "GET", path: "/users/me", token });
    expect(status).toBe(200);
    expect(body).toEqual(user);
    expect(headers.get("etag")).toMatch(/^"1-[\w-]{16}"$/);
    const unchanged = { "If-None-Match": headers.get("etag") ?? "" };
    const again = await app().call({ method: "GET", path: "/users/me", token, headers: unchanged });
    expect(again.status).toBe(304);
  });

  test("works over tRPC", async () => {
    const { accessToken: token, user } = await signUp(app());
    const { body } = await app().call({ method: "GET", path: "/trpc/user.me?input={}", token });
    expect(body.result.data).toEqual(user);
  });

  test("requires a credential", async () => {
    const { status, body, headers } = await app().call({ method: "GET", path: "/users/me" });
    expect(status).toBe(401);
    expect(body).toEqual({
      code: "UNAUTHORIZED",
      message: "Authorization not provided",
      issues: [],
    });
    expect(headers.get("www-authenticate")).toBe("Bearer");
  });

  test("rejects a deleted account at once", async () => {
    const { accessToken: token, user } = await signUp(app());
    await setDeleted(app(), "users", user.publicId, new Date());
    expect((await app().call({ method: "GET", path: "/users/me", token })).status).toBe(401);
  });

  test("rejects an unknown query parameter", async () => {
    const { accessToken: token } = await signUp(app());
    const { status, body } = await app().call({ method: "GET", path: "/users/me?as=admin", token });
    expect(status).toBe(400);
    expect(body.issues).toEqual([
      { message: "Unknown field", path: ["as"], code: "unrecognized_keys" },
    ]);
  });
});
