import { lookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** The targets that webhooks may reach besides public https: http, and subnets. */
export type TargetPolicy = { allowHttp: boolean; allowedSubnets: string[] };

/** Resolves a name to all its addresses. Never called for IP literals. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** An allowed target with its addresses, or the reason why it is not allowed. */
export type Target = { url: URL; addresses: string[] } | { refusal: string };

/** What outgoing requests need: name resolution, policy, clock, and the version for User-Agent. */
export type Outgoing = {
  resolve: Resolve;
  policy: TargetPolicy;
  now: () => Date;
  version: string;
};

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Resolves by the name servers, then by the system (hosts file) when they have no address.
 *
 * The system is not first: it blocks a thread of the pool, which files and hashes need.
 */
export const resolveBy =
  (servers: Pick<Resolver, "resolve4" | "resolve6">): Resolve =>
  async (hostname) => {
    if (!/.\../.test(hostname)) return resolveBySystem(hostname);
    const answers = await Promise.allSettled([
      servers.resolve4(hostname),
      servers.resolve6(hostname),
    ]);
    const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (found.length > 0) return found;
    if (answers.some((answer) => answer.status === "rejected" && isTimeout(answer.reason)))
      return [];
    return resolveBySystem(hostname);
  };

/** Resolves with the name servers of this machine. */
export const systemResolve = resolveBy(new Resolver({ timeout: 2_000, tries: 2 }));

const resolveBySystem = async (hostname: string) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

const isTimeout = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "ETIMEOUT";

/** Whether a text is valid in `allowedSubnets`. IPv4-mapped IPv6 is not. */
export const isSubnet = (text: string) => {
  if (!ipaddr.isValidCIDR(text)) return false;
  const [address] = ipaddr.parseCIDR(text);
  return address instanceof ipaddr.IPv4 || !address.isIPv4MappedAddress();
};

/** Resolves a target once and checks it. Never throws. The default timeout is 5 s. */
export const checkTarget = async (
  address: string,
  policy: TargetPolicy,
  resolve: Resolve,
  signal = AbortSignal.timeout(5_000),
): Promise<Target> => {
  if (!URL.canParse(address)) return { refusal: "The URL is invalid." };
  const url = new URL(address);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return { refusal: "The URL must start with https://." };
  if (url.protocol === "http:" && !policy.allowHttp)
    return { refusal: "The URL must start with https://. http is not allowed by this service." };
  if (url.username !== "" || url.password !== "")
    return { refusal: "The URL must not contain a user name or a password." };

  const host = url.hostname.replace(/^\[|\]$/g, "");
  const found = isIP(host) === 0 ? await resolveHost(host, resolve, signal) : [host];
  if (found.length === 0) return { refusal: "The host name could not be resolved." };
  const addresses = found.map(parse);
  // The message has the host of the input, not the addresses of an internal name.
  if (!addresses.every((one): one is Address => one !== undefined && isAllowed(one, policy)))
    return { refusal: `The host ${url.hostname} is not allowed: its address is not public.` };
  return { url, addresses: [...new Set(addresses.map(String))] };
};

const resolveHost = async (host: string, resolve: Resolve, signal: AbortSignal) => {
  try {
    return await new Promise<string[]>((settle, reject) => {
      signal.addEventListener("abort", reject, { once: true });
      resolve(host).then(settle, reject);
    });
  } catch {
    return [];
  }
};

// ipaddr.js alone accepts "0177.1". `process` converts mapped IPv6 to IPv4.
const parse = (address: string) => (isIP(address) === 0 ? undefined : ipaddr.process(address));

const isAllowed = (address: Address, policy: TargetPolicy) =>
  isPublic(address) || policy.allowedSubnets.some((subnet) => isInside(address, subnet));

const isInside = (address: Address, subnet: string) => {
  if (!isSubnet(subnet)) return false;
  const [network, bits] = ipaddr.parseCIDR(subnet);
  return network.kind() === address.kind() && address.match(network, bits);
};

const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");
const nat64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");
// Azure's metadata and DNS host has a public address but is internal.
const wireServer = "168.63.129.16";

const isPublic = (address: Address): boolean => {
  if (address instanceof ipaddr.IPv4)
    return address.range() === "unicast" && address.toString() !== wireServer;
  // On IPv6-only networks IPv4 targets resolve to this prefix.
  if (address.match(nat64)) return isPublic(new ipaddr.IPv4(address.toByteArray().slice(12)));
  // range() alone reports "::127.0.0.1" and unassigned addresses as unicast.
  return address.match(globalUnicast) && address.range() === "unicast";
};
