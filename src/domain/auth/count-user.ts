import { userClient } from "../../kernel/request/count-calls.ts";
import type { Deps } from "../../kernel/request/deps.ts";

/** Counts calls of a user who has proved an account, as those of a session. */
export const countUser = ({ limits }: Pick<Deps, "limits">, publicId: string, calls = 1) =>
  limits.credential({ credential: publicId, user: userClient(publicId) }, calls);
