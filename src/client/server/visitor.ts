/** The browser for which your backend calls the service. */
export type Visitor = {
  /**
   * The IP address of the browser. The service uses it with `TRUST_PROXY=1`.
   *
   * Without it, limits per network count all visitors of your backend together.
   */
  address?: string | undefined;
};

/** The header that sends the address to the service. */
export const addressHeader = (visitor: Visitor | undefined): Record<string, string> =>
  visitor?.address === undefined ? {} : { "X-Forwarded-For": visitor.address };
