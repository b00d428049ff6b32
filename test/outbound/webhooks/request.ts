import { sendRequest } from "../../../src/outbound/webhooks/message/request.ts";
import type { OutgoingOptions } from "../../../src/platform/http/address-guard.ts";
import { makeSecret } from "../../../src/outbound/webhooks/message/sign.ts";
import { loopback } from "../../support/dns.ts";

/** The secret that signs the requests of `sendTo`. */
export const secret = makeSecret();

/** What a test changes in a request. */
export type Given = { url?: string; secrets?: string[]; timeoutMs?: number; body?: string };

/** Sends a request, by default to `url`. IPv4 loopback is allowed, and no name resolves. */
export const sendTo = (url: string, given: Given = {}, deps: Partial<OutgoingOptions> = {}) =>
  sendRequest(
    { url, secrets: [secret], id: "msg_1", body: '{"type":"card.created"}', ...given },
    { ...loopback(), ...deps },
  );
