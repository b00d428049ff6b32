/** How long an address is at most. */
export const maxUriLength = 2_048;

/** An address of this machine. Programs listen on a port that they learn when they start. */
const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?((?:[/?].*)?)$/;

/** A scheme of a program, such as `cursor://…` or `com.example.app:/…` (RFC 8252). */
const ofProgram = /^([a-z][a-z0-9+.-]*):(\/\/)?[^\s]+$/;

/** Schemes that a browser acts on itself, or that belong to no program. */
const refusedSchemes = new Set(
  `about blob chrome chrome-extension data facetime file filesystem ftp http https intent jar javascript
  mailto moz-extension ms-settings resource sms ssh tel vbscript view-source ws wss`.split(/\s+/),
);

/** Whether an app may have an address to which the browser returns. */
export function isRedirectUri(uri: string): boolean {
  // Printable ASCII: a browser could read other characters in another way than we do.
  if (uri.length > maxUriLength || !/^[\x21-\x7e]+$/.test(uri)) return false;
  if (/[#"<>\\^`{|}]/.test(uri) || !URL.canParse(uri)) return false;
  if (loopback.test(uri)) return true;
  const { protocol, username, password } = new URL(uri);
  if (username !== "" || password !== "") return false;
  if (protocol === "https:") return /^https:\/\/[^/?@]+(?:[/?].*)?$/.test(uri);
  const [, scheme = "", slashes] = ofProgram.exec(uri) ?? [];
  if (scheme === "" || refusedSchemes.has(scheme)) return false;
  return slashes !== undefined || scheme.includes(".");
}

/** An address without its port, where that is free. */
const withoutFreePort = (uri: string) => uri.replace(loopback, "http://$1$2");

/** Whether an app has registered an address: as the same text, apart from the port of a loopback. */
export const isRegistered = (uri: string, registered: readonly string[]): boolean =>
  isRedirectUri(uri) &&
  registered.some((one) => one === uri || withoutFreePort(one) === withoutFreePort(uri));

/** Where an address leads, for people: a host, this computer, or a program on it. */
export function placeOf(uri: string): string {
  if (loopback.test(uri)) return "this computer";
  const { protocol, host } = new URL(uri);
  return protocol === "https:" ? host : `a program on this computer (${protocol})`;
}

/** An address with parameters, as it was registered otherwise. */
export function withParameters(uri: string, parameters: Record<string, string | undefined>) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, value);
  }
  return `${uri}${uri.includes("?") ? "&" : "?"}${String(query)}`;
}
