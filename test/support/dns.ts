import type { OutgoingOptions, Resolve } from "../../src/platform/http/address-guard.ts";

/**
 * Names for `resolve`: one set of addresses for good, or a list of sets, one for each time that it
 * is asked.
 */
export type Names = Record<string, string[] | string[][]>;

/** A resolver that knows these names only; `asked` lists every question. */
export const fakeDns = (names: Names = {}): { resolve: Resolve; asked: string[] } => {
  const asked: string[] = [];
  return {
    asked,
    resolve: async (hostname) => {
      const before = asked.filter((name) => name === hostname).length;
      asked.push(hostname);
      const response = names[hostname]?.flatMap((one, index, all) =>
        typeof one === "string" ? [one] : index === Math.min(before, all.length - 1) ? one : [],
      );
      if (response === undefined) throw new Error(`getaddrinfo ENOTFOUND ${hostname}`);
      return response;
    },
  };
};

/** Outgoing requests that reach loopback, by http too, and these names there. */
export const loopback = (...names: string[]): OutgoingOptions => ({
  resolve: fakeDns(Object.fromEntries(names.map((name) => [name, ["127.0.0.1"]]))).resolve,
  policy: { allowHttp: true, allowedSubnets: ["127.0.0.0/8"] },
  now: () => new Date(),
  version: "1.2.3",
});
