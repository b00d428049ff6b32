import { router } from "../trpc.ts";
import { acceptInvite } from "./accept.ts";
import { createLink } from "./create-link.ts";

/** Ways into a workspace. */
export const invites = router({ createLink, accept: acceptInvite });
