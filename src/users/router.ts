import { router } from "../trpc.ts";
import { me } from "./me.ts";

/** The caller's own account. */
export const users = router({ me });
