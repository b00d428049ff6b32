import { z } from "zod";
import type { RestCalls } from "./rest-calls.ts";

const Availability = z.object({ isAvailable: z.boolean(), isReserved: z.boolean() });

/** Whether a slug is available, which Kan's programs send under the name of its resource. */
export const checkSlug = (calls: RestCalls, path: string, kanName: string) =>
  calls.read(Availability, path, { slug: calls.query.get(kanName) ?? calls.query.get("slug") });

/** Whether a workspace may have a slug. */
export const checkWorkspaceSlug = (calls: RestCalls) =>
  checkSlug(calls, "/workspaces/check-slug-availability", "workspaceSlug");
