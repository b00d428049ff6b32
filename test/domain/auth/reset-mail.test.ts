import { expect, test } from "vitest";
import { jobsOf } from "../../kernel/jobs/fixtures.ts";
import { startApp, useApp, type App } from "../../support/app.ts";
import { freshEmail, password, signUp } from "./account.ts";

const app = useApp({ isolated: true });

async function mailTo(target: App): Promise<string> {
  const email = freshEmail();
  await signUp(target, email);
  const body = { email };
  await target.call({ method: "POST", path: "/auth/password/reset-request", body });
  const jobs = await jobsOf(target);
  return (
    jobs
      .map(({ payload }) => payload as { to: string; text: string })
      .findLast(({ to }) => to === email)?.text ?? ""
  );
}

const reset = (target: App, token: string) =>
  target.call({
    method: "POST",
    path: "/auth/password/reset",
    body: { token, newPassword: `${password}, another` },
  });

test("the reset mail contains the token and the endpoint", async () => {
  const text = await mailTo(app());
  const token = /The token is (\S+)/.exec(text)?.[1] ?? "";
  expect(text).toContain(`${app().deps.baseUrl}/api/v1/auth/password/reset`);
  expect((await reset(app(), token)).status).toBe(200);
});

test("the reset mail links to PASSWORD_RESET_URL when it is set", async () => {
  const target = await startApp({
    env: { PASSWORD_RESET_URL: "https://app.example.com/reset?lang=en" },
  });
  try {
    const text = await mailTo(target);
    const link = new URL(
      /^https:\/\/app\.example\.com\/\S+$/m.exec(text)?.[0] ?? "https://missing",
    );
    expect(link.searchParams.get("lang")).toBe("en");
    expect((await reset(target, link.searchParams.get("token") ?? "")).status).toBe(200);
  } finally {
    await target.close();
  }
});
