import { publicId } from "../../platform/db/public-id.ts";
import { Mail } from "../../platform/mail/message.ts";
import type { UnitOfWork } from "../events/unit-of-work.ts";
import { enqueue } from "./queue.ts";

/** Sends a mail after the commit, at least once. Without `html`, it is made from `text`. */
export async function queueMail(
  tx: Pick<UnitOfWork, "query" | "now">,
  mail: Omit<Mail, "id">,
): Promise<void> {
  await enqueue(tx, "mail", Mail.parse({ ...mail, id: publicId() }));
}
