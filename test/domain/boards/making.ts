import { eventsIn } from "../../kernel/access/membership.ts";
import type { App } from "../../support/app.ts";
import type { Workspace } from "../../support/make.ts";

/** Creates a board over REST; answers it. */
export const create = async ({ admin, publicId }: Workspace, name: string, more: object = {}) =>
  (await admin.rest.post(`/workspaces/${publicId}/boards`, { name, ...more })).body;

/** The events about a workspace's boards after their creation. */
export const boardEvents = async (app: App, { publicId }: Workspace) =>
  (await eventsIn(app, publicId)).filter(
    ({ type }) => type.startsWith("board.") && type !== "board.created",
  );
