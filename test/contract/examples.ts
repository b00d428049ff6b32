import { routesOf } from "../../src/api/rest/routes.ts";
import { appRouter } from "../../src/app/router/index.ts";
import { theDocument } from "../support/responses.ts";

type Any = any;

/** The document. */
export const document: Any = theDocument();

/** Every operation with its route and its description in the document. */
export const routes = routesOf(appRouter).map((route): [string, typeof route, Any] => [
  route.name,
  route,
  document.paths[route.path][route.method.toLowerCase()],
]);

/** The fields of the example of a JSON body. */
export const bodyOf = ({ requestBody }: Any): Record<string, unknown> =>
  requestBody?.content["application/json"]?.example ?? {};

/** The fields of an operation's examples in path, query and body. */
export const inputOf = (operation: Any): Record<string, unknown> => ({
  ...Object.fromEntries(
    operation.parameters
      .filter((one: Any) => one.example !== undefined)
      .map((one: Any) => [one.name, one.example]),
  ),
  ...bodyOf(operation),
});

/** The input of an operation's example. */
export const exampleOf = (name: string) =>
  inputOf(routes.find(([one]) => one === name)?.[2] ?? { parameters: [] });

// These operations consume the resources of examples, as deletes do.
const consuming = new Set([
  "auth.changePassword",
  "auth.logout",
  "auth.refresh",
  "oauth.token",
  "oauth.revoke",
  "oauth.decideDevice",
  "auth.resetPassword",
  "invite.accept",
  "member.invite",
  "member.leave",
  "permission.revokeFromMember",
  "role.create",
  "role.update",
  "workspace.create",
  "workspace.update",
  "board.update",
  "operator.updateUser",
  "operator.restoreWorkspace",
  "operator.cancelJob",
  "operator.retryJob",
  "operator.cancelImport",
  "operator.disableWebhook",
  "checklist.convertItem",
]);

/** Whether an operation that succeeds consumes the resources of examples. */
export const isConsuming = ({ name, method }: { name: string; method: string }) =>
  method === "DELETE" || consuming.has(name);

/** The operations that call other services, or that need what they answered. */
export const reaching =
  /^(?:integration\.|import\.|signIn\.(?:start|callback|finish|link)$|secondFactor\.(?:add|rename|remove|create)|auth\.confirm$)/;
