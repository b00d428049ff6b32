/** Whether a URL has the origin of an allowed one, and its path or a path below it. */
export function isAllowedReturn(address: string, allowed: readonly string[]): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  if (url.username !== "" || url.password !== "") return false;
  return allowed.some((allowedUrl) => {
    const base = new URL(allowedUrl);
    const path = base.pathname.replace(/(?<!\/)\/+$/, "");
    return (
      url.origin === base.origin && (url.pathname === path || url.pathname.startsWith(`${path}/`))
    );
  });
}
