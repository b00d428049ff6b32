import { badRequest } from "../../platform/errors.ts";
import { checkTarget, type Outgoing } from "../../platform/http/address-guard.ts";

/** 400 unless requests can be sent to a URL. */
export async function checkUrl(url: string, { policy, resolve }: Outgoing): Promise<void> {
  const target = await checkTarget(url, policy, resolve);
  if ("refusal" in target) throw badRequest("target_refused", target.refusal, ["url"]);
}
