import type { MiddlewareHandler } from "hono";
import { z } from "zod";
import { isThroughKan } from "../kan-paths.ts";
import { callLogOf } from "../rest/call-log.ts";

const Refusal = z.looseObject({
  code: z.string(),
  issues: z
    .array(
      z.looseObject({
        message: z.string(),
        path: z.array(z.union([z.string(), z.number()])).optional(),
      }),
    )
    .optional(),
});

/** The issues of an input, as Kan groups them: those of fields by the first step of their path. */
function zodErrorOf(issues: z.infer<typeof Refusal>["issues"] = []) {
  const formErrors: string[] = [];
  const fieldErrors = new Map<string, string[]>();
  for (const { message, path = [] } of issues) {
    const [field] = path;
    if (field === undefined) formErrors.push(message);
    else fieldErrors.set(String(field), [...(fieldErrors.get(String(field)) ?? []), message]);
  }
  return { formErrors, fieldErrors: Object.fromEntries(fieldErrors) };
}

/** Adds the `data` that Kan's errors have to every error that leaves the mount. */
export const kanErrors: MiddlewareHandler = (c, next) =>
  isThroughKan(c.req.raw) ? addData(c, next) : next();

const addData: MiddlewareHandler = async (c, next) => {
  await next();
  const { status, headers } = c.res;
  const isJson = headers.get("Content-Type")?.startsWith("application/json") === true;
  if (status < 400 || !isJson) return;
  const text = await c.res.text();
  // The answer to HEAD has no body.
  const body = Refusal.parse(text === "" ? { code: "" } : JSON.parse(text));
  const data = {
    code: body.code,
    httpStatus: status,
    path: callLogOf(c.req.raw).operation ?? null,
    zodError: status === 400 ? zodErrorOf(body.issues) : null,
  };
  headers.delete("Content-Length");
  c.res = new Response(text === "" ? null : JSON.stringify({ ...body, data }), { status, headers });
};
