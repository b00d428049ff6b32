import { router } from "../../kernel/request/trpc.ts";
import { acceptInvite } from "../../domain/invites/accept.ts";
import { createLink } from "../../domain/invites/create-link.ts";
import { deactivateLink } from "../../domain/invites/deactivate-link.ts";
import { getLink } from "../../domain/invites/get-link.ts";
import { getInvite } from "../../domain/invites/get.ts";

/** Invite links and invite codes. */
export const invites = router({
  getLink,
  createLink,
  deactivateLink,
  get: getInvite,
  accept: acceptInvite,
});
