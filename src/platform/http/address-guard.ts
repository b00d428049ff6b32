import { lookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { FairShare, type ShareLimits } from "../fair-share.ts";
import { codeOf } from "../error-code.ts";

/** What requests can reach: http or only https, and subnets in addition to the public addresses. */
export type DestinationPolicy = {
  allowHttp: boolean;
  allowedSubnets: string[];
  /** Whether a refusal names the settings that would allow the destination. */
  namesSettings?: boolean;
};

/** Resolves a name to all its addresses; rejects or is empty when it has no address. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** An allowed destination with its addresses, or the sentence that says why it is not allowed. */
export type CheckedDestination = { url: URL; addresses: string[] } | { refusal: string };

/** How outgoing requests resolve names, what they can reach, and their User-Agent's version. */
export type OutgoingOptions = {
  resolve: Resolve;
  policy: DestinationPolicy;
  now: () => Date;
  version: string;
};

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * How domains share the look-ups by the system: two of the four threads remain for others.
 *
 * A name server can answer the first question at once and the system's never.
 */
export const systemShares: ShareLimits = {
  size: 2,
  perCaller: 1,
  perTenant: 1,
  queue: 1_000,
  queuePerCaller: 100,
  waitMs: 5_000,
};

/** The domain that a name is in: its last two labels. */
const domainOf = (hostname: string) => hostname.split(".").filter(Boolean).slice(-2).join(".");

/**
 * Asks the name servers for all addresses of a name, and then the system, which has a hosts file.
 *
 * The system comes second: while a name server does not respond, it blocks one of the few threads
 * that files and password hashes need.
 */
export const resolveBy = (
  servers: Pick<Resolver, "resolve4" | "resolve6">,
  bySystem: Resolve = lookupBySystem,
): Resolve => {
  const shares = new FairShare(systemShares);
  const resolveBySystem: Resolve = (hostname) =>
    shares.run(domainOf(hostname), () => bySystem(hostname));
  return async (hostname) => {
    if (!/.\../.test(hostname)) return resolveBySystem(hostname);
    const responses = await Promise.allSettled([
      servers.resolve4(hostname),
      servers.resolve6(hostname),
    ]);
    const addresses = responses.flatMap((response) =>
      response.status === "fulfilled" ? response.value : [],
    );
    if (addresses.length > 0) return addresses;
    if (responses.some((response) => response.status === "rejected" && isTimeout(response.reason)))
      return [];
    return resolveBySystem(hostname);
  };
};

async function lookupBySystem(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

/** Resolves names with the name servers of this machine. */
export const systemResolve = resolveBy(new Resolver({ timeout: 2_000, tries: 2 }));

const isTimeout = (error: unknown) => codeOf(error) === "ETIMEOUT";

/** Whether a text is a subnet. A mapped IPv4 subnet is not: addresses are compared as IPv4. */
export const isSubnet = (text: string) => {
  if (!ipaddr.isValidCIDR(text)) return false;
  const [address] = ipaddr.parseCIDR(text);
  return address instanceof ipaddr.IPv4 || !address.isIPv4MappedAddress();
};

/** Resolves a destination once, within 5 s, and checks its addresses; never throws. */
export const checkDestination = async (
  address: string,
  policy: DestinationPolicy,
  resolve: Resolve,
  signal = AbortSignal.timeout(5_000),
): Promise<CheckedDestination> => {
  if (!URL.canParse(address)) return { refusal: "The URL is not valid." };
  const url = new URL(address);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return { refusal: "The URL must start with https://." };
  if (url.protocol === "http:" && !policy.allowHttp) return { refusal: refusalOfHttp(url, policy) };
  if (url.username !== "" || url.password !== "")
    return { refusal: "The URL must not contain a user name or a password." };

  const host = url.hostname.replace(/^\[|\]$/g, "");
  const resolved = isIP(host) === 0 ? await resolveName(host, resolve, signal) : [host];
  if (resolved.length === 0)
    return { refusal: `The host name ${url.hostname} cannot be resolved.` };
  const addresses = resolved.map(parse);
  // The message names the host, not the addresses that an internal name resolves to.
  if (!addresses.every((item): item is Address => item !== undefined && isAllowed(item, policy)))
    return { refusal: refusalOfHost(url, policy) };
  return { url, addresses: [...new Set(addresses.map(String))] };
};

/** The settings that allow http, and addresses of this machine and its network. */
const httpSetting = "WEBHOOK_ALLOW_HTTP=true";
const subnetSetting = "WEBHOOK_ALLOWED_SUBNETS to its subnet, such as 127.0.0.0/8";
const hint = ({ namesSettings }: DestinationPolicy, ...settings: string[]) =>
  namesSettings === true ? ` To allow it, set ${settings.join(", and ")}.` : "";

function refusalOfHttp({ hostname }: URL, policy: DestinationPolicy): string {
  const parsed = parse(hostname.replace(/^\[|\]$/g, ""));
  const isPrivate = parsed === undefined ? hostname === "localhost" : !isAllowed(parsed, policy);
  const settings = [httpSetting, ...(isPrivate ? [subnetSetting] : [])];
  return `The URL must start with https://: http is not allowed here.${hint(policy, ...settings)}`;
}

const refusalOfHost = ({ hostname }: URL, policy: DestinationPolicy) =>
  `The host ${hostname} is not allowed: its address is not public.${hint(policy, subnetSetting)}`;

const resolveName = async (host: string, resolve: Resolve, signal: AbortSignal) => {
  try {
    return await new Promise<string[]>((settle, reject) => {
      signal.addEventListener("abort", reject, { once: true });
      resolve(host).then(settle, reject);
    });
  } catch {
    return [];
  }
};

// ipaddr.js alone would accept "0177.1". `process` turns mapped IPv6 into its IPv4 address.
const parse = (address: string) => (isIP(address) === 0 ? undefined : ipaddr.process(address));

const isAllowed = (address: Address, { allowedSubnets }: DestinationPolicy) =>
  isPublic(address) || allowedSubnets.some((subnet) => isInside(address, subnet));

/** Whether an address, as `checkDestination` returns it, is in one of the subnets. */
export const isInSubnets = (address: string, subnets: string[]) =>
  subnets.some((subnet) => isInside(ipaddr.process(address), subnet));

const isInside = (address: Address, subnet: string) => {
  if (!isSubnet(subnet)) return false;
  const [network, bits] = ipaddr.parseCIDR(subnet);
  return network.kind() === address.kind() && address.match(network, bits);
};

const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");
const nat64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");
// The metadata and DNS host of Azure. It is in a public range but is internal.
const azureHost = "168.63.129.16";

const isPublic = (address: Address): boolean => {
  if (address instanceof ipaddr.IPv4)
    return address.range() === "unicast" && address.toString() !== azureHost;
  // On networks with IPv6 only, every IPv4 destination resolves to this prefix.
  if (address.match(nat64)) return isPublic(new ipaddr.IPv4(address.toByteArray().slice(12)));
  // range() alone accepts "::127.0.0.1" and unassigned addresses as unicast.
  return address.match(globalUnicast) && address.range() === "unicast";
};
