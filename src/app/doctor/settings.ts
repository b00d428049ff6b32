import { baseUrlOf, verifiesEmail, type Config } from "../../platform/config.ts";
import { fault, ok, warning, type Finding } from "./finding.ts";

type Rule = { applies: (config: Config) => boolean; finding: Finding };

const isLocal = (url: string) =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
const isProduction = ({ NODE_ENV }: Config) => NODE_ENV === "production";
const isPublic = ({ BASE_URL }: Config) => BASE_URL !== undefined && !isLocal(BASE_URL);
/** Whether callers reach the service at another port or scheme than the one where it listens. */
const isProxied = (config: Config) => {
  const { protocol, port } = new URL(baseUrlOf(config));
  const listens = config.PORT === 80 ? "" : String(config.PORT);
  return protocol === "https:" || port !== listens;
};

/** What settings that are valid one by one mean together. */
const rules: readonly Rule[] = [
  {
    applies: (config) => isPublic(config) && config.NODE_ENV === "development",
    finding: fault(
      "The service is in development at a public address: its log has the links of mails.",
      "Set NODE_ENV=production.",
    ),
  },
  {
    applies: (config) => isPublic(config) && baseUrlOf(config).startsWith("http:"),
    finding: fault(
      "BASE_URL is a public address without TLS: passwords and tokens can be read on the way.",
      "Put a proxy with TLS in front, and write https in BASE_URL.",
    ),
  },
  {
    applies: (config) => config.TRUST_PROXY === 0 && isProxied(config),
    finding: fault(
      "BASE_URL leads to a proxy, and TRUST_PROXY is 0: all clients have the address of the " +
        "proxy, and share the limits of sign-in attempts and of anonymous calls.",
      "Set TRUST_PROXY to the number of proxies that add to X-Forwarded-For.",
    ),
  },
  {
    applies: (config) => config.TRUST_PROXY > 0 && !isProxied(config),
    finding: warning(
      "TRUST_PROXY is set, and BASE_URL leads to the service itself: callers could write any " +
        "address into X-Forwarded-For.",
      "Set BASE_URL to the address of the proxy, or TRUST_PROXY to 0.",
    ),
  },
  {
    applies: ({ GITHUB_CLIENT_ID: id, GITHUB_CLIENT_SECRET: secret }) =>
      (id === undefined) !== (secret === undefined),
    finding: fault(
      "Only one of GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET is set: GitHub cannot be connected.",
      "Set both, or none.",
    ),
  },
  {
    applies: (config) => isProduction(config) && config.SMTP_URL === undefined,
    finding: warning(
      "SMTP_URL is not set: nobody can reset a password, and invitations are not mailed.",
      "Set SMTP_URL and MAIL_FROM.",
    ),
  },
  {
    applies: ({ SMTP_URL, MAIL_FROM }) => SMTP_URL !== undefined && /@localhost>?$/.test(MAIL_FROM),
    finding: fault(
      "MAIL_FROM is an address of localhost, which other mail servers refuse.",
      "Set MAIL_FROM to an address of your domain.",
    ),
  },
  {
    applies: (config) =>
      config.SMTP_URL !== undefined &&
      config.APP_URL === undefined &&
      (config.PASSWORD_RESET_URL === undefined ||
        (verifiesEmail(config) && config.VERIFY_EMAIL_URL === undefined)),
    finding: warning(
      "Mails have codes and no links: no address of a page is set.",
      "Set APP_URL to the address of your frontend.",
    ),
  },
  {
    applies: ({ WORKERS }) => WORKERS === 0,
    finding: warning(
      "WORKERS is 0: this instance sends no mails and webhooks, and runs no imports.",
      "Let another instance have workers.",
    ),
  },
  {
    applies: ({ APP_SECRET: now, APP_SECRET_PREVIOUS: before }) =>
      before !== undefined && now === before,
    finding: warning(
      "APP_SECRET_PREVIOUS is the same as APP_SECRET.",
      "Remove it, or set it to the secret before.",
    ),
  },
];

/** Checks what the settings mean together; the values themselves are valid. */
export function checkSettings(config: Config): Finding[] {
  const found = rules.flatMap(({ applies, finding }) => (applies(config) ? finding : []));
  return found.length === 0 ? [ok("The settings fit together.")] : found;
}
