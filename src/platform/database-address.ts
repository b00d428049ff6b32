/** How special characters are written in the user name and the password. */
const encoded = "@ %40, : %3A, / %2F, ? %3F, # %23, % %25";

const modes = ["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify"];

/** Reads the address of a database. Throws an error that says what to write instead. */
export function readDatabaseAddress(text: string): string {
  if (!/^postgres(ql)?:\/\//.test(text))
    throw new Error("must start with postgres:// or postgresql://");
  const { before, rest: written } = split(text);
  for (const sign of ["#", "/", "?"]) if (before.includes(sign)) throw notEncoded(sign);
  if (!isDecodable(before)) throw notEncoded("%");
  const { rest, hosts, ports } = firstHost(written);
  // libpq takes an address without a host, URL does not: the parameter `host` names the socket.
  const hasSocket = rest.startsWith("/") && /[?&]host=/.test(rest);
  const scheme = text.slice(0, text.indexOf("//") + 2);
  const whole = `${scheme}${before}${hasSocket ? "localhost" : ""}${rest}`;
  if (!URL.canParse(whole)) throw malformed(rest);
  const address = new URL(whole);
  if (address.hash !== "") throw notEncoded("#");
  if (hosts.length > 1) {
    if (address.searchParams.has("host"))
      throw new Error("names hosts before the database and in the parameter host: write one list");
    address.searchParams.set("host", hosts.join());
    address.searchParams.set("port", ports.join());
  }
  takeServers(new URL(address));
  checkMode(address);
  return address.href;
}

/** The text before the last `@` of an address, and what follows. */
function split(text: string): { before: string; rest: string } {
  const authority = text.slice(text.indexOf("//") + 2);
  // An `@` in a parameter has no user before it.
  const start = /^[^/?#]*[:@]/.test(authority) ? authority.lastIndexOf("@") : -1;
  const isParameter = /[?&][\w.]+=[^@]*$/.test(authority.slice(0, Math.max(start, 0)));
  const at = isParameter ? authority.slice(0, authority.search(/[?]/)).lastIndexOf("@") : start;
  return { before: authority.slice(0, at + 1), rest: authority.slice(at + 1) };
}

/** The first of the hosts that follow the user name, with the rest; and all of them. */
function firstHost(text: string): { rest: string; hosts: string[]; ports: string[] } {
  const [authority = ""] = /^[^/?#]*/.exec(text) ?? [];
  const names = authority.split(",");
  const parts = names.map((name) => /^(.*?)(?::(\d*))?$/.exec(name) ?? []);
  return {
    rest: `${names[0]}${text.slice(authority.length)}`,
    hosts: parts.map(([, host = ""]) => host.replaceAll(/^\[|\]$/g, "")),
    ports: parts.map(([, , port]) => port || defaultPort),
  };
}

const defaultPort = "5432";

/** One server of an address; `host` can be the folder of a socket. */
export type Server = { host: string; port: number };

const allowed = ["any", "read-write", "primary"] as const;
/** Which server of an address is used, as libpq says it. */
export type Wanted = (typeof allowed)[number];

/**
 * Takes the servers out of an address, and which of them is wanted (`target_session_attrs`).
 *
 * Undefined for one server of any kind, which the driver finds itself.
 */
export function takeServers(
  address: URL,
): { servers: readonly Server[]; wanted: Wanted } | undefined {
  const { searchParams } = address;
  const text = searchParams.get("target_session_attrs") ?? "any";
  const wanted = allowed.find((each) => each === text);
  if (wanted === undefined)
    throw new Error(`has target_session_attrs=${text}: it must be one of ${allowed.join(", ")}`);
  searchParams.delete("target_session_attrs");
  const hosts = (searchParams.get("host") ?? address.hostname.replaceAll(/^\[|\]$/g, "")).split(
    ",",
  );
  const ports = (searchParams.get("port") ?? (address.port || defaultPort)).split(",");
  if (hosts.includes("")) throw new Error("has an empty host in its list of hosts");
  if (ports.length !== 1 && ports.length !== hosts.length)
    throw new Error(`names ${hosts.length} hosts and ${ports.length} ports`);
  const servers = hosts.map((host, nth) => ({ host, port: Number(ports[nth] ?? ports[0]) }));
  if (!servers.every(({ port }) => Number.isInteger(port) && port > 0 && port < 65_536))
    throw new Error("has a port that is not a number from 1 to 65535");
  if (servers.length === 1 && wanted === "any") return undefined;
  searchParams.delete("host");
  searchParams.delete("port");
  return { servers, wanted };
}

const isDecodable = (text: string) => !/%(?![\dA-Fa-f]{2})/.test(text);

const notEncoded = (sign: string) =>
  new Error(`has a "${sign}" in its user name or password: percent-encode it (${encoded})`);

function malformed(rest: string): Error {
  if (rest.startsWith("/"))
    return new Error(
      "names no host: for a socket in a folder, write " +
        "postgresql://user:password@localhost/boards?host=/var/run/postgresql",
    );
  return new Error(
    "is not an address such as postgresql://user:password@host:5432/boards; percent-encode signs " +
      `of the password (${encoded}), and in a .env file, quote a value with #`,
  );
}

/** Checks `sslmode`. The driver ignores a mode that it does not know, and connects without TLS. */
function checkMode({ searchParams }: URL): void {
  const mode = searchParams.get("sslmode");
  if (mode === null) return;
  if (!modes.includes(mode))
    throw new Error(`has the sslmode "${mode}": it must be one of ${modes.join(", ")}`);
  // The driver verifies these as `verify-full`, with a warning on each start.
  const isSame = ["prefer", "require", "verify-ca"].includes(mode);
  if (isSame && !searchParams.has("uselibpqcompat")) searchParams.set("sslmode", "verify-full");
}
