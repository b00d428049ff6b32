import { newChecks } from "../../src/domain/sign-in/checks.ts";
import { saveProof, saveStart, takeStart } from "../../src/domain/sign-in/state.ts";
import { publicId } from "../../src/platform/db/public-id.ts";
import type { App } from "./app.ts";

/** A sign-in that a provider has proved: what the page has that it returned to. */
export function provedSignIn(
  { db, deps }: Pick<App, "db" | "deps">,
  provider = "google",
): Promise<{ result: string; secret: string }> {
  const [now, checks, subject] = [deps.clock(), newChecks(), publicId()];
  const proof = {
    issuer: "https://issuer.example",
    subject,
    email: `${subject}@example.com`,
    name: "Ada",
    profile: { issuedAt: 0 },
    signedInAt: 0,
  };
  return db.transact(async (prisma, query) => {
    const begun = { provider, checks, returnUrl: deps.baseUrl };
    const secret = await saveStart({ prisma, now }, deps.seal, begun);
    const started = { state: checks.state, provider, now };
    const { id } = await takeStart(query, deps.seal, started);
    return { result: await saveProof({ query, now }, deps.seal, id, proof), secret };
  });
}
