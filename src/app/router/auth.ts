import { router } from "../../kernel/request/trpc.ts";
import { apiKeys } from "../../domain/auth/api-keys.ts";
import { changePassword } from "../../domain/auth/change-password.ts";
import { createApiKey } from "../../domain/auth/create-api-key.ts";
import { login } from "../../domain/auth/login.ts";
import { logout } from "../../domain/auth/logout.ts";
import { refresh } from "../../domain/auth/refresh.ts";
import { register } from "../../domain/auth/register.ts";
import { requestPasswordReset } from "../../domain/auth/request-password-reset.ts";
import { resendVerification } from "../../domain/auth/resend-verification.ts";
import { resetPassword } from "../../domain/auth/reset-password.ts";
import { revokeApiKey } from "../../domain/auth/revoke-api-key.ts";
import { revokeSession } from "../../domain/auth/revoke-session.ts";
import { sessions } from "../../domain/auth/sessions.ts";
import { streamTicket } from "../../domain/auth/stream-ticket.ts";
import { verifyEmail } from "../../domain/auth/verify-email.ts";

/** Sign-up, sign-in, sessions and API keys. */
export const auth = router({
  register,
  login,
  refresh,
  logout,
  changePassword,
  requestPasswordReset,
  resetPassword,
  verifyEmail,
  resendVerification,
  sessions,
  revokeSession,
  apiKeys,
  createApiKey,
  revokeApiKey,
  streamTicket,
});
