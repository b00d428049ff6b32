import { attempt } from "../../../src/outbound/webhooks/deliver.ts";
import type { Outgoing } from "../../../src/platform/http/address-guard.ts";
import { makeSecret } from "../../../src/outbound/webhooks/sign.ts";
import { fakeDns } from "../../support/dns.ts";

/** The secret that attempts of `sendTo` are signed with. */
export const secret = makeSecret();

/** What a test changes about an attempt. */
export type Given = { url?: string; secrets?: string[]; timeoutMs?: number; body?: string };

/** Makes an attempt at `url` by default, from a place where IPv4 loopback is allowed and no name is known. */
export const sendTo = (url: string, given: Given = {}, deps: Partial<Outgoing> = {}) =>
  attempt(
    { url, secrets: [secret], id: "msg_1", body: '{"type":"card.created"}', ...given },
    {
      resolve: fakeDns().resolve,
      policy: { allowHttp: true, allowedSubnets: ["127.0.0.0/8"] },
      now: () => new Date(),
      version: "1.2.3",
      ...deps,
    },
  );
