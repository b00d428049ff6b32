import { publicId } from "../../platform/db/public-id.ts";
import type { UnitOfWork } from "../events/unit-of-work.ts";
import { enqueue } from "./queue.ts";
import { Mail } from "../../platform/mail/message.ts";

/** Sends a mail when the transaction has committed, at least once. Without `html` it is made of `text`. */
export async function queueMail(
  tx: Pick<UnitOfWork, "query" | "now">,
  mail: Omit<Mail, "id">,
): Promise<void> {
  await enqueue(tx, "mail", Mail.parse({ ...mail, id: publicId() }));
}
