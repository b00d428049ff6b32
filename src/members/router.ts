import { router } from "../trpc.ts";
import { listMembers } from "./list.ts";

/** Members of a workspace. */
export const members = router({ list: listMembers });
