/** The base address for programs of Kan, which add `/api/v1`. */
const kanMount = "/kan";

/** The API of the mount. */
export const kanApi = `${kanMount}/api/v1`;

/** Whether a request was sent to the mount for programs of Kan. */
export const isThroughKan = ({ url }: Request): boolean =>
  url.startsWith(`${kanApi}/`, url.indexOf("/", "https://".length));

/** A path of the mount as a path of the REST API. */
export const withoutMount = (path: string): string =>
  path.startsWith(`${kanApi}/`) ? path.slice(kanMount.length) : path;
