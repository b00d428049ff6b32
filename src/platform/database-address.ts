/** How special characters are written in the user name and the password. */
const encoded = "@ %40, : %3A, / %2F, ? %3F, # %23, % %25";

const modes = ["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify"];

/** Reads the address of a database. Throws an error that says what to write instead. */
export function readDatabaseAddress(text: string): string {
  if (!/^postgres(ql)?:\/\//.test(text))
    throw new Error("must start with postgres:// or postgresql://");
  const { before, rest } = split(text);
  for (const sign of ["#", "/", "?"]) if (before.includes(sign)) throw notEncoded(sign);
  if (!isDecodable(before)) throw notEncoded("%");
  // libpq takes an address without a host, URL does not: the parameter `host` names the socket.
  const hasSocket = rest.startsWith("/") && /[?&]host=/.test(rest);
  const scheme = text.slice(0, text.indexOf("//") + 2);
  const whole = `${scheme}${before}${hasSocket ? "localhost" : ""}${rest}`;
  if (!URL.canParse(whole)) throw malformed(rest);
  const address = new URL(whole);
  if (address.hash !== "") throw notEncoded("#");
  if (address.hostname.includes(",")) throw new Error("must name one host, not several");
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
