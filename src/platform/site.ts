import ipaddr from "ipaddr.js";

const suffix = "/64";

/**
 * The /48 network of a client in an IPv6 /64: providers give one to a site, with 65,536 of those.
 *
 * Any other client is its own site. The name of a client ends with its network.
 */
export function siteOf(client: string): string {
  if (!client.endsWith(suffix)) return client;
  const start = client.lastIndexOf(" ") + 1;
  const address = client.slice(start, -suffix.length);
  if (!ipaddr.IPv6.isValid(address)) return client;
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${address}/48`);
  return `${client.slice(0, start)}${network.toString()}/48`;
}
