import { mailsTo } from "../kernel/jobs/fixtures.ts";
import type { App } from "./app.ts";
import type { User } from "./make.ts";

/** Verifies the address of a user with the token of the queued mail. */
export async function verifyEmail(app: App, { email, rest }: User): Promise<void> {
  const [mail] = await mailsTo(app, email);
  const token = /(?:token=|The token is )([^\s&]+)/.exec(mail?.text ?? "")?.[1] ?? "";
  const { status, body } = await rest.post("/auth/verify-email", { token });
  if (status !== 200) throw new Error(JSON.stringify(body));
}
