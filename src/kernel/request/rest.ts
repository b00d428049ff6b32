import type { OpenApiMeta } from "trpc-to-openapi";
import type { z } from "zod";
import type { ErrorCode } from "../../contract/error-codes.ts";
import { ruleOf, type Operation } from "../../contract/policy.ts";

/** The groups of the exported document, in its order, each with a sentence on it. */
export const tags = {
  Auth: "Signing up and in, sessions and API keys.",
  OAuth: "Apps that people connect: an authorization server (OAuth 2.1).",
  Users: "The caller's own account.",
  Workspaces: "Workspaces and their members.",
  Boards: "Boards of a workspace.",
  Lists: "Lists of a board.",
  Cards: "Cards of a list, with their checklists.",
  Labels: "Labels of a board.",
  Fields: "Custom fields of the cards of a board.",
  Views: "Saved views: which cards, and how they are shown.",
  Attachments: "Files and links on cards.",
  Permissions: "Roles, and what members may do.",
  Invites: "Invitations and invite links.",
  Webhooks: "Endpoints that receive a workspace's events.",
  Imports: "Imports of boards from other services.",
  Integrations: "Connections to other services.",
  Health: "Health of the service.",
  Operator: "Accounts, workspaces and work of the whole service, for its operators.",
} as const;

/** One of the document's groups. */
export type Tag = keyof typeof tags;

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** What the document says about a REST route beyond the operation's rule and schemas. */
export type RestOptions = {
  /** Its own failures, in addition to those that every operation of its kind can have. */
  errors?: readonly ErrorCode[];
  /** A second path that is served as well, and is not in the document. */
  alias?: `/${string}`;
  /** The path of an operation that takes files: its JSON that names no file is for this one. */
  jsonAt?: `/${string}`;
  /** For people with a browser: it answers a page, or redirects. */
  page?: true;
  /** The input is in a JSON body, although the method is DELETE: URLs are logged. */
  inBody?: true;
  /** Compares `If-Match` although its path has no id. */
  versioned?: true;
  /** It runs other operations: its events are theirs, and each has its own version. */
  batch?: true;
  /** The body is bytes of any type; the other fields are in the query. */
  requestBody?: "bytes";
  /** It answers the bytes of a file, or a stream of bytes that is made while it is sent. */
  response?: "bytes" | "stream";
  /** It reads one snapshot: `Feed-Cursor` names its point of the log, or of a stream the ETag. */
  snapshot?: true;
  /** The content types of the bytes that it answers. */
  contentTypes?: readonly string[];
  /** How many fields its body has at least and at most, without `override`. */
  bodyFields?: { min?: number; max?: number };
  /** The data of its server-sent events; over tRPC it is a subscription. */
  events?: z.ZodType;
};

/** The content types that an answer can have. Pages can redirect, and files have their own. */
export function answeredTypes({ page, response, events, contentTypes = [] }: RestOptions) {
  if (page !== undefined || response === "bytes") return [];
  if (events !== undefined) return ["text/event-stream"];
  return response === "stream" ? contentTypes : ["application/json"];
}

/** Whether a write looks at `If-Match`: one with a target, or of a versioned account. */
export const takesIfMatch = (operation: Operation, { batch, versioned }: RestOptions = {}) =>
  batch === undefined && (versioned === true || "needs" in ruleOf(operation));

/** The REST route of a procedure, in its metadata. */
export type RestMeta = OpenApiMeta & { options?: RestOptions };

type Route = (
  path: `/${string}`,
  summary: string,
  description: string,
  options?: RestOptions,
) => RestMeta;

/**
 * The REST route of a procedure; ids in the path are written `{listPublicId}`. The document adds
 * the required permission after the first sentence of the description.
 *
 * For example: `rest("Lists").post("/lists", "Add a list to a board", "Appends the list.")`.
 */
export function rest(tag: Tag): Record<"get" | "post" | "put" | "delete", Route> {
  const route =
    (method: Method): Route =>
    (path, summary, description, options) => ({
      openapi: { method, path, tags: [tag], summary, description },
      ...(options === undefined ? {} : { options }),
    });
  return { get: route("GET"), post: route("POST"), put: route("PUT"), delete: route("DELETE") };
}
