import { z } from "zod";
import { fingerprint } from "../access/credentials.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { sql } from "../../platform/db/sql.ts";
import { Mail } from "../../platform/mail/mailer.ts";
import type { UnitOfWork } from "../events/unit-of-work.ts";
import type { Deps } from "../request/deps.ts";
import { accountOfWorkspace, enqueue, isLiveJob } from "./queue.ts";

type MailDeps = Pick<Deps, "seal">;

const purpose = "mail";
const Sealed = z.strictObject({ sealed: z.string() });

/** How urgent a mail is: those to sign in come first. */
type Urgency = {
  /** A person waits for this mail. */
  signIn?: true;
  /**
   * The more mails of a workspace's account wait, the later its next one is sent.
   *
   * A mail without a workspace waits for those of its recipient.
   */
  workspaceId?: bigint;
};

/**
 * Sends a mail after the commit, at least once.
 *
 * Mail programs turn web addresses in names and titles into links. Only the strings in `verbatim`
 * stay as they are. The job is sealed, because a mail may contain a code or a token.
 */
export async function queueMail(
  tx: Pick<UnitOfWork, "query" | "now">,
  { seal }: MailDeps,
  mail: Omit<Mail, "id" | "verbatim"> & { verbatim?: string[] },
  { signIn, workspaceId }: Urgency = {},
): Promise<void> {
  const { verbatim = [] } = mail;
  const parsed = Mail.parse({
    ...mail,
    id: publicId(),
    verbatim,
    subject: unlink(mail.subject),
    text: unlink(mail.text, verbatim),
  });
  const payload = { sealed: seal.seal(purpose, JSON.stringify(parsed)) };
  const recipient = fingerprint(parsed.to);
  const priority = signIn ? -1 : await turnOf(tx, { workspaceId, recipient });
  await enqueue(tx, "mail", payload, {
    priority,
    recipient,
    ...(workspaceId === undefined ? {} : { workspaceId }),
  });
}

/** The mail of a job. Jobs of earlier versions are not sealed. */
export function openMail({ seal }: MailDeps, payload: unknown): Mail {
  const { data } = Sealed.safeParse(payload);
  return Mail.parse(data === undefined ? payload : JSON.parse(seal.open(purpose, data.sealed)));
}

/** More waiting mails than this are not counted. */
const maxCounted = 1_000;

/** The number of waiting mails of an account, or of a recipient without a workspace, at least 1. */
async function turnOf(
  { query }: Pick<UnitOfWork, "query">,
  { workspaceId, recipient }: { workspaceId: bigint | undefined; recipient: string },
) {
  const isOfGroup =
    workspaceId === undefined
      ? sql`"workspaceId" IS NULL AND recipient = ${recipient}`
      : sql`"accountId" = ${accountOfWorkspace(workspaceId)}`;
  const [row] = await query<{ waiting: number }>(sql`SELECT count(*)::int AS waiting FROM (
    SELECT 1 FROM jobs WHERE ${isOfGroup} AND kind = 'mail' AND ${isLiveJob}
    LIMIT ${sql.number(maxCounted)}) AS mails`);
  return 1 + (row?.waiting ?? 0);
}

const dots = /[.\u3002\uFF0E\uFF61](?=\p{L}[\p{L}\d-])/gu;
const schemes = /(?<=\p{L}):(?=\S)/gu;

/**
 * Text in which mail programs find no web address, domain or UNC path to turn into a link.
 *
 * The strings in `verbatim` stay unchanged: our own addresses, codes and tokens.
 */
export function unlink(text: string, verbatim: readonly string[] = []): string {
  const [first, ...others] = verbatim.filter((literal) => literal !== "");
  if (first === undefined) return breakLinks(text);
  return text
    .split(first)
    .map((part) => unlink(part, others))
    .join(first);
}

const breakLinks = (text: string) =>
  text
    .replace(schemes, ": ")
    .replace(/([/\\])(?=\1)/g, "$1 ")
    .replace(dots, "$&\u0020");
