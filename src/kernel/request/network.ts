import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";

/** The key of a client address for limits: an IPv4 address, or the /64 network of an IPv6 one. */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  const text = address.replace(/^\[(.*)\](?::\d+)?$/, "$1").replace(/%.*$/, "");
  if (!ipaddr.isValid(text)) return address.slice(0, 64);
  const parsed = ipaddr.process(text);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/64`);
  return `${network.toString()}/64`;
}
