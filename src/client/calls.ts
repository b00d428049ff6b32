import { TRPCClientError, type TRPCUntypedClient } from "@trpc/client";
import type { AnyProcedure, inferProcedureInput, inferProcedureOutput } from "@trpc/server";
import { BoardServiceError, type Issue } from "./errors.ts";
import type { AppRouter } from "./router.ts";

const verbs = {
  attachment: "download file fileUrl",
  auth: "apiKeys sessions",
  app: "list",
  board:
    "activity cards checkSlugAvailability exportCsv get getBySlug groups list members queryCards",
  card: "activities get getByNumber",
  checklist: "items",
  comment: "list",
  field: "list",
  health: "check",
  import: "people get list report trelloBoards",
  integration: "githubProjects providers",
  invite: "get getLink",
  label: "get list",
  list: "cards get",
  member: "get list",
  oauth: "describe describeDevice",
  operator: "deliveries imports jobs log user users webhooks workspaces",
  permission: "mine ofMember vocabulary",
  role: "list permissions",
  serviceAccount: "keys list",
  secondFactor: "list",
  signIn: "identities providers",
  stats: "get",
  user: "cards me notifications preferences",
  view: "cards get groups list",
  webhook: "catalogue deliveries delivery get list",
  workspace: "audit checkSlugAvailability events export get getBySlug list search snapshot trash",
};

/** The operations that read, such as `card.get`; all others write. */
export const queries: ReadonlySet<string> = new Set(
  Object.entries(verbs).flatMap(([resource, names]) =>
    names.split(" ").map((name) => `${resource}.${name}`),
  ),
);

/** The options of one call. */
export type CallOptions = {
  /** Aborts the call. */
  signal?: AbortSignal;
  /** The version that the resource must have (`If-Match`); else the call fails with 412. */
  ifVersion?: number;
  /** The `Idempotency-Key`. A write without one gets a random key. */
  idempotencyKey?: string;
  /** Called with the headers of the response that name the events of a write. */
  onResponse?: (response: { lastEvent: string | null; feedCursor: string | null }) => void;
};

/** The tRPC client of one call: a function sees the headers of its response. */
export type Connect = (onHeaders?: (headers: Headers) => void) => TRPCUntypedClient<AppRouter>;

type Call<P extends AnyProcedure> =
  undefined extends inferProcedureInput<P>
    ? (
        input?: Exclude<inferProcedureInput<P>, void>,
        options?: CallOptions,
      ) => Promise<inferProcedureOutput<P>>
    : (input: inferProcedureInput<P>, options?: CallOptions) => Promise<inferProcedureOutput<P>>;

type Resources = AppRouter["_def"]["record"];

/** The operations of a resource as functions. */
export type OperationsOf<Name extends keyof Resources> = {
  [
    Verb in keyof Resources[Name] as Resources[Name][Verb] extends {
      _def: { type: "subscription" };
    }
      ? never
      : Verb
  ]: Resources[Name][Verb] extends AnyProcedure ? Call<Resources[Name][Verb]> : never;
};

/** The operations of the service as functions. */
export type Operations = { [Name in keyof Resources]: OperationsOf<Name> };

/** Makes the operations: a path such as `card.create` becomes one request. */
export function operations(connect: Connect): Operations {
  const at = (path: string): unknown =>
    new Proxy(() => undefined, {
      // A promise-like `then` would make `await client` a request.
      get: (_, name) =>
        typeof name === "symbol" || name === "then"
          ? undefined
          : at(path === "" ? name : `${path}.${name}`),
      apply: (_, __, [input, options]: [unknown, CallOptions?]) =>
        call(connect, path, input, options ?? {}),
    });
  return at("") as Operations;
}

async function call(
  connect: Connect,
  path: string,
  input: unknown,
  { signal, ifVersion, idempotencyKey, onResponse }: CallOptions,
): Promise<unknown> {
  const isQuery = queries.has(path);
  const headers: Record<string, string> = {};
  if (ifVersion !== undefined) headers["If-Match"] = `"${ifVersion}"`;
  if (idempotencyKey !== undefined) headers["Idempotency-Key"] = idempotencyKey;
  const options = { context: { headers }, ...(signal === undefined ? {} : { signal }) };
  const onHeaders =
    onResponse &&
    ((responseHeaders: Headers) =>
      onResponse({
        lastEvent: responseHeaders.get("Last-Event"),
        feedCursor: responseHeaders.get("Feed-Cursor"),
      }));
  const trpc = connect(onHeaders);
  try {
    return await (isQuery ? trpc.query(path, input, options) : trpc.mutation(path, input, options));
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    throw error instanceof TRPCClientError ? ofTrpc(error) : error;
  }
}

type Data = {
  code: string;
  message: string;
  issues: Issue[];
  httpStatus: number;
  failedAt?: number;
};

/** The error of a failed tRPC call. */
function ofTrpc(error: TRPCClientError<AppRouter>): BoardServiceError {
  if (error.cause instanceof BoardServiceError) return error.cause;
  const data = error.data as Data | undefined;
  const response = error.meta?.["response"] as Response | undefined;
  const status = data?.httpStatus ?? response?.status ?? 0;
  const code = status === 0 ? "NETWORK_ERROR" : "HTTP_ERROR";
  return new BoardServiceError(
    data === undefined ? { status, code, message: error.message } : { ...data, status },
    {
      requestId: response?.headers.get("X-Request-Id") ?? undefined,
      cause: error,
    },
  );
}
