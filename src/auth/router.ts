import { router } from "../trpc.ts";
import { apiKeys } from "./api-keys.ts";
import { createApiKey } from "./create-api-key.ts";
import { login } from "./login.ts";
import { logout } from "./logout.ts";
import { refresh } from "./refresh.ts";
import { register } from "./register.ts";
import { revokeApiKey } from "./revoke-api-key.ts";
import { revokeSession } from "./revoke-session.ts";
import { sessions } from "./sessions.ts";

/** Signing up and in, sessions and API keys. */
export const auth = router({
  register,
  login,
  refresh,
  logout,
  sessions,
  revokeSession,
  apiKeys,
  createApiKey,
  revokeApiKey,
});
