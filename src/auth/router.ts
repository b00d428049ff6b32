import { router } from "../trpc.ts";
import { apiKeys } from "./api-keys.ts";
import { changePassword } from "./change-password.ts";
import { createApiKey } from "./create-api-key.ts";
import { login } from "./login.ts";
import { logout } from "./logout.ts";
import { refresh } from "./refresh.ts";
import { register } from "./register.ts";
import { requestPasswordReset } from "./request-password-reset.ts";
import { resetPassword } from "./reset-password.ts";
import { revokeApiKey } from "./revoke-api-key.ts";
import { revokeSession } from "./revoke-session.ts";
import { sessions } from "./sessions.ts";
import { streamTicket } from "./stream-ticket.ts";

/** Signing up and in, sessions and API keys. */
export const auth = router({
  register,
  login,
  refresh,
  logout,
  changePassword,
  requestPasswordReset,
  resetPassword,
  sessions,
  revokeSession,
  apiKeys,
  createApiKey,
  revokeApiKey,
  streamTicket,
});
