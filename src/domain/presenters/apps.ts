import type { z } from "zod";
import type { AppInfo } from "../../contract/resources/oauth.ts";

/** What is shown of an app. */
export type ShownApp = { publicId: string; clientId: string; name: string };

/** Whether the id of an app is the address of a document that describes it. */
export const isDocument = (clientId: string): boolean => /^https?:\/\//.test(clientId);

/** Who vouches for the name of an app: the host of its document, or nobody. */
export const vouchedBy = ({ clientId }: Pick<ShownApp, "clientId">): string | null =>
  isDocument(clientId) ? new URL(clientId).host : null;

/** Shows an app. */
export const showApp = (app: ShownApp): z.infer<typeof AppInfo> => ({
  publicId: app.publicId,
  clientId: app.clientId,
  name: app.name,
  vouchedBy: vouchedBy(app),
});
