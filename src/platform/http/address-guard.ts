import { lookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** What webhooks may reach: plain http at all, and the CIDRs ("10.0.0.0/8") that are fine although they are not public. */
export type TargetPolicy = { allowHttp: boolean; allowedSubnets: string[] };

/** All addresses of a name; rejects or is empty when there are none. Never asked about IP literals. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** A target that may be reached, at these addresses and no others, or a plain sentence that says why not. */
export type Target = { url: URL; addresses: string[] } | { refusal: string };

/** How outgoing requests resolve names, which addresses they may reach, and the version that their User-Agent names. */
export type Outgoing = {
  resolve: Resolve;
  policy: TargetPolicy;
  now: () => Date;
  version: string;
};

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Asks the name servers for all addresses of a name, and the system (its hosts file) where they know of none. Not the system
 * first: it asks in one of the few threads that files and password hashes need too, and a name server that is silent holds that for long.
 */
export const resolveBy =
  (servers: Pick<Resolver, "resolve4" | "resolve6">): Resolve =>
  async (hostname) => {
    if (!/.\../.test(hostname)) return ofSystem(hostname);
    const answers = await Promise.allSettled([
      servers.resolve4(hostname),
      servers.resolve6(hostname),
    ]);
    const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (found.length > 0) return found;
    if (answers.some((answer) => answer.status === "rejected" && isSilence(answer.reason)))
      return [];
    return ofSystem(hostname);
  };

/** Asks as this machine is set up to. */
export const systemResolve = resolveBy(new Resolver({ timeout: 2_000, tries: 2 }));

const ofSystem = async (hostname: string) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

const isSilence = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "ETIMEOUT";

/** Says whether a text can stand in `allowedSubnets`; IPv4 inside IPv6 cannot, as it is compared in its IPv4 form. */
export const isSubnet = (text: string) => {
  if (!ipaddr.isValidCIDR(text)) return false;
  const [address] = ipaddr.parseCIDR(text);
  return address instanceof ipaddr.IPv4 || !address.isIPv4MappedAddress();
};

/** Decides on a target after resolving its name once; never throws. Without a signal a name has 5 s to resolve. */
export const checkTarget = async (
  address: string,
  policy: TargetPolicy,
  resolve: Resolve,
  signal = AbortSignal.timeout(5_000),
): Promise<Target> => {
  if (!URL.canParse(address)) return { refusal: "The address is not a valid URL." };
  const url = new URL(address);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return { refusal: "The address must begin with https://." };
  if (url.protocol === "http:" && !policy.allowHttp)
    return { refusal: "The address must begin with https://, as http is not allowed here." };
  if (url.username !== "" || url.password !== "")
    return { refusal: "The address must not contain a user name or a password." };

  const host = url.hostname.replace(/^\[|\]$/g, "");
  const found = isIP(host) === 0 ? await resolved(host, resolve, signal) : [host];
  if (found.length === 0) return { refusal: "The name could not be resolved." };
  const addresses = found.map(parse);
  // The sentence repeats what the caller wrote, not what an internal name resolved to.
  if (!addresses.every((one): one is Address => one !== undefined && isAllowed(one, policy)))
    return { refusal: `The address ${url.hostname} is not allowed: it is not public.` };
  return { url, addresses: [...new Set(addresses.map(String))] };
};

const resolved = async (host: string, resolve: Resolve, signal: AbortSignal) => {
  try {
    return await new Promise<string[]>((settle, reject) => {
      signal.addEventListener("abort", reject, { once: true });
      resolve(host).then(settle, reject);
    });
  } catch {
    return [];
  }
};

// isIP first: ipaddr.js alone would also take "0177.1" and the like. `process` turns mapped IPv6 into the IPv4 that it means.
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
// Azure's metadata and DNS host, which looks public and is not.
const wireServer = "168.63.129.16";

const isPublic = (address: Address): boolean => {
  if (address instanceof ipaddr.IPv4)
    return address.range() === "unicast" && address.toString() !== wireServer;
  // On IPv6-only networks every IPv4 target resolves to this prefix.
  if (address.match(nat64)) return isPublic(new ipaddr.IPv4(address.toByteArray().slice(12)));
  // Not range() alone: it takes "::127.0.0.1" and all that is unassigned for unicast.
  return address.match(globalUnicast) && address.range() === "unicast";
};
