import { z } from "zod";
import { badRequest } from "../../platform/errors.ts";
import { checkDestination, type Outgoing } from "../../platform/http/address-guard.ts";

/** The URL of a webhook as input. `checkUrl` says what is wrong with another text. */
export const WebhookUrl = z
  .string()
  .trim()
  .min(1)
  .max(2048)
  .meta({
    format: "uri",
    pattern: "^[hH][tT][tT][pP][sS]?://",
    examples: ["https://hooks.example.com/boards"],
    description: "The https address that receives the events. It must resolve to public addresses.",
  });

/** 400 unless requests can be sent to a URL. */
export async function checkUrl(url: string, { policy, resolve }: Outgoing): Promise<void> {
  const receiver = await checkDestination(url, policy, resolve);
  if ("refusal" in receiver) throw badRequest("target_refused", receiver.refusal, ["url"]);
}
