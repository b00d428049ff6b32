import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** The start of the name of a client without a verified credential. */
export const networkPrefix = "network ";

/** The key of a client address for limits: an IPv4 address, or the /64 network of an IPv6 one. */
export function networkOf(address: string): string {
  const text = address.replace(/^\[(.*)\](?::\d+)?$/, "$1").replace(/%.*$/, "");
  // An invalid address is an exception inside of ipaddr.js, which takes time.
  const version = isIP(text);
  if (version === 0) return address.slice(0, 64);
  if (version === 4) return text;
  const parsed = ipaddr.process(text);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/64`);
  return `${network.toString()}/64`;
}
