import { publicId } from "../db/public-id.ts";
import type { Work } from "../db/work.ts";
import { enqueue } from "../jobs/queue.ts";
import { Mail } from "./message.ts";

/** Sends a mail when the transaction has committed, at least once. Without `html` it is made of `text`. */
export async function queueMail(
  work: Pick<Work, "query" | "now">,
  mail: Omit<Mail, "id">,
): Promise<void> {
  await enqueue(work, "mail", Mail.parse({ ...mail, id: publicId() }));
}
