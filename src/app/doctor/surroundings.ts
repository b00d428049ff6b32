import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "node:tls";
import { examineProvider, reasonOf } from "../../domain/sign-in/providers.ts";
import { createIssuer } from "../../kernel/access/issuer.ts";
import { baseUrlOf, type Config } from "../../platform/config.ts";
import { createMailer } from "../../platform/mail/mailer.ts";
import { freeBytes, isStorageFull } from "../../platform/storage/free-space.ts";
import { openFiles } from "../../platform/storage/open.ts";
import { newStorageKey } from "../../platform/storage/store.ts";
import { pino } from "pino";
import { fault, messageOf, ok, warning, type Finding } from "./finding.ts";

const mebibyte = 1024 ** 2;
/** How long an answer may take, in ms. */
const answerMs = 5_000;
/** How long before its end a certificate should be renewed, in ms. */
const renewalMs = 14 * 24 * 60 * 60_000;
const clockSeconds = 30;

/** Stores a small file, reads it and removes it. */
export async function checkStorage(config: Config): Promise<Finding[]> {
  const advice = "Check STORAGE_URL, and the rights of the service there.";
  try {
    const files = await openFiles(config);
    const [key, content] = [newStorageKey(), randomBytes(64)];
    let read: Uint8Array;
    try {
      await files.put(
        key,
        (async function* () {
          yield content;
        })(),
        content.length,
      );
      read = new Uint8Array(await new Response(await files.get(key)).arrayBuffer());
    } finally {
      await files.remove(key);
    }
    if (!content.equals(read)) return [fault("The storage returns other bytes.", advice)];
    return [ok("A file can be stored, read and removed.")];
  } catch (error) {
    if (isStorageFull(error))
      return [
        fault(
          `The disk of the files has less than ${config.MIN_FREE_SPACE} MB left: uploads are refused.`,
          "Free some space, or set STORAGE_URL to another place.",
        ),
      ];
    return [fault(`The storage cannot be used: ${messageOf(error)}.`, advice)];
  }
}

/** Checks the disk and the files of `DATA_DIR`. */
export async function checkDataDirectory({ DATA_DIR, MIN_FREE_SPACE }: Config): Promise<Finding[]> {
  if (!existsSync(DATA_DIR)) return [ok(`${DATA_DIR} does not exist yet.`)];
  const free = Math.floor((await freeBytes(DATA_DIR)) / mebibyte);
  const secret = await stat(join(DATA_DIR, "app-secret")).catch(() => undefined);
  const found = [
    ...(free < 2 * MIN_FREE_SPACE
      ? [
          warning(
            `The disk of ${DATA_DIR} has ${free} MB left; below ${MIN_FREE_SPACE} MB files are refused.`,
            "Free some space, or move DATA_DIR.",
          ),
        ]
      : []),
    ...(secret !== undefined && (secret.mode & 0o077) !== 0
      ? [
          fault(
            "Other users of this machine can read app-secret in DATA_DIR.",
            `Run chmod 600 ${join(DATA_DIR, "app-secret")}.`,
          ),
        ]
      : []),
  ];
  return found.length > 0 ? found : [ok(`The disk of ${DATA_DIR} has ${free} MB left.`)];
}

/** Signs in to the mail server; sends nothing. */
export async function checkMail(config: Config): Promise<Finding[]> {
  if (config.SMTP_URL === undefined) return [];
  try {
    await createMailer(config, pino({ level: "silent" })).verify();
    return [ok("The mail server accepts the sign-in.")];
  } catch (error) {
    return [fault(`No mail can be sent: ${messageOf(error)}.`, "Check SMTP_URL.")];
  }
}

/** Loads the keys of the issuer. */
export async function checkIssuer(config: Config, now: () => Date): Promise<Finding[]> {
  const issuer = createIssuer(config, now);
  if (issuer === undefined) return [];
  try {
    await issuer.load();
    return [ok("The issuer publishes its keys.")];
  } catch (error) {
    return [
      fault(
        `Nobody can sign in through the issuer: ${messageOf(error)}.`,
        "Check OIDC_ISSUER, and the way there.",
      ),
    ];
  }
}

/** Reads what each provider of sign-in says of itself. */
export const checkProviders = ({ SIGN_IN_PROVIDERS }: Config, now: () => Date) =>
  Promise.all(
    SIGN_IN_PROVIDERS.map(async (provider): Promise<Finding> => {
      try {
        await examineProvider(provider, now());
        return ok(`${provider.name} (${provider.id}) answers.`);
      } catch (error) {
        return fault(
          `Nobody can sign in through ${provider.name} (${provider.id}): ${reasonOf(error).join(": ")}.`,
          "Check SIGN_IN_PROVIDERS, and the way there.",
        );
      }
    }),
  );

/** Calls the service at its public address, as its clients do. */
export async function checkAddress(config: Config, now: () => Date): Promise<Finding[]> {
  const base = new URL(baseUrlOf(config));
  const certificate = base.protocol === "https:" ? await checkCertificate(base, now()) : [];
  if (certificate.some(({ level }) => level === "fault")) return certificate;
  const url = `${base.href.replace(/\/$/, "")}/livez`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(answerMs) });
    const body = await response.text();
    if (!response.ok || !body.includes('"ok"'))
      return [
        ...certificate,
        fault(
          `${url} answers ${response.status}, and not as the service does.`,
          "Check BASE_URL, and where its proxy sends calls.",
        ),
      ];
    return [
      ...certificate,
      ...checkDate(response.headers.get("date"), now()),
      ok(`${url} answers.`),
    ];
  } catch (error) {
    return [
      ...certificate,
      warning(
        `${url} does not answer: ${messageOf(error)}.`,
        "Start the service, or check BASE_URL and the proxy.",
      ),
    ];
  }
}

function checkDate(date: string | null, now: Date): Finding[] {
  const seconds = Math.abs(Date.parse(date ?? "") - now.getTime()) / 1_000;
  if (!(seconds > clockSeconds)) return [];
  return [
    fault(
      `The clocks of this machine and of the service differ by ${Math.round(seconds)} s.`,
      "Synchronize both with NTP.",
    ),
  ];
}

/** Checks that clients trust the certificate of an address, and for how long. */
async function checkCertificate({ hostname, port }: URL, now: Date): Promise<Finding[]> {
  const host = hostname.replace(/^\[|\]$/g, "");
  const options = { host, port: Number(port) || 443, servername: hostname, timeout: answerMs };
  return new Promise((resolve) => {
    const socket = connect({ ...options, rejectUnauthorized: false }, () => {
      const end = Date.parse(socket.getPeerCertificate().valid_to);
      const days = Math.floor((end - now.getTime()) / 86_400_000);
      const refused = socket.authorizationError;
      socket.destroy();
      const renew = "Renew it, and see why that did not happen by itself.";
      if (days < 0) resolve([fault(`The certificate of ${host} has expired.`, renew)]);
      else if (refused)
        resolve([
          fault(
            `Clients do not trust the certificate of ${host}: ${messageOf(refused)}.`,
            "Use a certificate of this name from an authority that clients know, with its chain.",
          ),
        ]);
      else if (end - now.getTime() < renewalMs)
        resolve([warning(`The certificate of ${host} ends in ${days} days.`, renew)]);
      else resolve([ok(`The certificate of ${host} is valid for ${days} days.`)]);
    });
    const give = (error?: Error) => {
      socket.destroy();
      const why = error === undefined ? "no answer" : messageOf(error);
      resolve([warning(`${host} does not speak TLS: ${why}.`, "Check BASE_URL and the proxy.")]);
    };
    socket.once("error", give);
    socket.once("timeout", () => give());
  });
}
