import { router } from "../trpc.ts";
import { acceptInvite } from "./accept.ts";
import { createLink } from "./create-link.ts";
import { deactivateLink } from "./deactivate-link.ts";
import { getLink } from "./get-link.ts";
import { getInvite } from "./get.ts";

/** Ways into a workspace. */
export const invites = router({
  getLink,
  createLink,
  deactivateLink,
  get: getInvite,
  accept: acceptInvite,
});
