import { Hono } from "hono";
import { nameOf, shortened } from "../../platform/foreign-text.ts";
import { countCalls } from "../../kernel/request/count-calls.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { readForm } from "../../platform/http/body.ts";
import { recordFailure, recordOperation } from "../rest/call-log.ts";
import { formPostPath } from "../../domain/sign-in/providers.ts";
import { createContext, readingOf, requestIdOf } from "../rest/create-context.ts";
import { errorResponse } from "../rest/error-response.ts";

const maxBytes = 16 * 1024;
const longestName = 255;
const passedOn = ["state", "code", "iss", "error"];

/**
 * Receives what a provider makes the browser post, as Apple does, and sends the browser on to
 * `signIn.callback` with the same parameters: it is the one that signs in.
 */
export function formPostRoutes(deps: Deps): Hono {
  const app = new Hono();
  app.post(formPostPath(":provider"), async (c) => {
    const { raw } = c.req;
    recordOperation(raw, "signIn.callback");
    const requestId = requestIdOf(raw);
    const headers = { "X-Request-Id": requestId, "Cache-Control": "no-store" };
    try {
      const ctx = await createContext(c, deps, requestId);
      await countCalls(ctx, ["signIn.callback"], headers);
      const form = await readForm(raw, readingOf(ctx, maxBytes));
      const query = new URLSearchParams();
      for (const name of passedOn) {
        const value = form.get(name);
        if (value !== null) query.set(name, value);
      }
      const name = nameIn(form.get("user"));
      if (name !== null) query.set("name", name);
      const path = `/api/v1/sign-in/callback/${encodeURIComponent(c.req.param("provider") ?? "")}`;
      return new Response(null, {
        status: 303,
        headers: { ...headers, Location: `${deps.baseUrl}${path}?${query.toString()}` },
      });
    } catch (error) {
      recordFailure(raw, error);
      return errorResponse(error, requestId, deps);
    }
  });
  return app;
}

/** The name in what Apple says of a person the first time. */
function nameIn(user: string | null): string | null {
  if (user === null) return null;
  try {
    const { firstName, lastName } = JSON.parse(user).name;
    const name = [firstName, lastName].filter((part) => typeof part === "string").join(" ");
    return nameOf(shortened(name, longestName));
  } catch {
    // It is not what Apple sends: the person has the name of the token.
    return null;
  }
}
