import type { Config } from "./config.ts";

type Settings = Pick<
  Config,
  "APP_URL" | "INVITE_URL" | "CARD_URL" | "PASSWORD_RESET_URL" | "VERIFY_EMAIL_URL"
>;
/** The ids that the address of a card's page may contain. */
export type CardIds = { workspacePublicId: string; boardPublicId: string; cardPublicId: string };

const underApp = ({ APP_URL }: Settings, path: string) =>
  APP_URL === undefined ? undefined : `${APP_URL}${path}`;

const fill = (template: string | undefined, values: Record<string, string>) =>
  template?.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    values[name] === undefined ? placeholder : encodeURIComponent(values[name]),
  );

function withToken(page: string | undefined, token: string) {
  if (page === undefined) return undefined;
  const url = new URL(page);
  url.searchParams.set("token", token);
  return url.href;
}

/** The page where an invite is accepted; undefined without a setting for it. */
export const invitePage = (config: Settings, code: string) =>
  fill(config.INVITE_URL ?? underApp(config, "/invites/{code}"), { code });

/** The page of a card; undefined without a setting for it. */
export const cardPage = (config: Settings, ids: CardIds) =>
  fill(config.CARD_URL ?? underApp(config, "/cards/{cardPublicId}"), ids);

/** The page for a new password; undefined without a setting for it. */
export const passwordResetPage = (config: Settings, token: string) =>
  withToken(config.PASSWORD_RESET_URL ?? underApp(config, "/reset-password"), token);

/** The page that verifies an email address; undefined without a setting for it. */
export const verifyEmailPage = (config: Settings, token: string) =>
  withToken(config.VERIFY_EMAIL_URL ?? underApp(config, "/verify-email"), token);
