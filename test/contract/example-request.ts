import { exampleIds } from "../../src/contract/vocabulary/ids.ts";
import type { Route } from "../../src/api/rest/routes.ts";
import { minimalDocument } from "../transfer/exports/minimal.ts";
import { sentAttachment } from "../kernel/access/targets.ts";
import type { ExampleResources } from "./example-resources.ts";
import { inputOf } from "./examples.ts";

type Any = any;
type Input = Record<string, unknown>;

/** The key of the operator in tests of the document. */
export const adminKey = "the key of the operator";

const kinds = new Map<string, string>(Object.entries(exampleIds).map(([kind, id]) => [id, kind]));

/** Replaces the ids of examples by those of resources. */
export function withIds(value: unknown, { ids }: ExampleResources): unknown {
  const visit = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(visit);
    if (typeof one === "string" && kinds.has(one)) return ids[kinds.get(one) ?? ""];
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(
      Object.entries(one).map(([key, inner]) => [ids[kinds.get(key) ?? ""] ?? key, visit(inner)]),
    );
  };
  return visit(value);
}

/** A value in which relations are to another card than the one that has them. */
function relatedIn(value: Any, other: unknown): Any {
  if (Array.isArray(value)) return value.map((item) => relatedIn(item, other));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [
      field,
      field === "relatedCardPublicId" ? other : relatedIn(inner, other),
    ]),
  );
}

/** The input of an operation's example, with ids and secrets of resources. */
export async function inputWith(
  name: string,
  operation: Any,
  resources: ExampleResources,
): Promise<Input> {
  const { user, secrets, ids, serviceAccount } = resources;
  const input = Object.fromEntries(
    Object.entries(inputOf(operation)).map(([field, value]) => [
      field,
      secrets[field] ?? relatedIn(withIds(value, resources), secrets["relatedCardPublicId"]),
    ]),
  );
  if (name.startsWith("serviceAccount.")) {
    const known = Object.entries(serviceAccount).filter(([field]) => field in input);
    Object.assign(input, Object.fromEntries(known));
  }
  if (name.startsWith("oauth.") && name !== "oauth.register") {
    const { clientId, refreshToken, request, userCode } = resources.connection;
    const given = {
      clientId,
      refreshToken,
      token: refreshToken,
      request,
      userCode,
      grantType: "refresh_token",
    };
    delete input["resource"];
    const known = Object.entries(given).filter(([field]) => field in input);
    Object.assign(input, Object.fromEntries(known));
  }
  if (name === "user.delete") input["password"] = secrets["currentPassword"];
  if (name === "auth.verifyEmail") input["token"] = secrets["verification"];
  if (name === "operator.updateUser") input["email"] = `${crypto.randomUUID()}@example.com`;
  if (name === "operator.restoreWorkspace") {
    const { body } = await user.rest.post("/workspaces", { name: "Deleted" });
    await user.rest.delete(`/workspaces/${body.publicId}`);
    input["workspacePublicId"] = body.publicId;
  }
  if (name === "attachment.confirm") {
    input["attachmentPublicId"] = await sentAttachment(user, ids["card"] ?? "");
  }
  return input;
}

/** The request of an operation: ids in the path, then a query, then a body. */
export function requestOf(
  { name, method, path, options }: Route,
  operation: Any,
  token: string,
  { ids, query, body }: { ids: Input; query: URLSearchParams; body: unknown },
): Request {
  const filled = path.replace(/\{(\w+)\}/g, (_, field) => encodeURIComponent(String(ids[field])));
  const bytes = options.requestBody === "bytes";
  const hasBody = operation.requestBody !== undefined;
  return new Request(`http://service/api/v1${filled}?${query.toString()}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      "X-Admin-Key": adminKey,
      ...(hasBody && !bytes ? { "Content-Type": "application/json" } : {}),
    },
    ...(hasBody ? { body: bytes ? bytesFor(name) : JSON.stringify(body) } : {}),
  });
}

/** A body of bytes for the operation. */
export const bytesFor = (name: string) =>
  name === "workspace.import" ? JSON.stringify(minimalDocument()) : "the bytes of a file";
