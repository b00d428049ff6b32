import {
  createTRPCUntypedClient,
  httpBatchLink,
  httpLink,
  splitLink,
  type TRPCLink,
} from "@trpc/client";
import type { Connect } from "./calls.ts";
import { errorOf } from "./errors.ts";
import { newKey } from "./public-id.ts";
import type { AppRouter } from "./router.ts";
import type { Fetch } from "./transport.ts";

/** The links of all calls, and the client of one call. */
export function trpcTo(
  url: string,
  fetch: Fetch,
): { links: TRPCLink<AppRouter>[]; connect: Connect } {
  const links = linksOf(url, fetch);
  const shared = createTRPCUntypedClient({ links });
  const connect: Connect = (onHeaders) => {
    if (onHeaders === undefined) return shared;
    const withHeaders: Fetch = async (address, init) => {
      const response = await fetch(address, init);
      onHeaders(response.headers);
      return response;
    };
    return createTRPCUntypedClient({ links: linksOf(url, withHeaders) });
  };
  return { links, connect };
}

/** Queries of the same moment share a request; writes travel alone, with their headers. */
function linksOf(url: string, fetch: Fetch): TRPCLink<AppRouter>[] {
  const send = async (input: unknown, init?: unknown) => {
    const response = await fetch(String(input), init as RequestInit);
    // tRPC cannot read the page of a gateway, and would lose its status.
    const isPage = response.headers.get("Content-Type")?.includes("json") !== true;
    if (response.status >= 500 && isPage) throw await errorOf(response);
    return response;
  };
  return [
    splitLink({
      condition: ({ type }) => type === "query",
      true: httpBatchLink({ url, fetch: send, maxItems: 50, maxURLLength: 8_000 }),
      false: httpLink({
        url,
        fetch: send,
        headers: ({ op }) => ({
          // A write that has a key is repeated safely.
          "Idempotency-Key": newKey(),
          ...(op.context["headers"] as Record<string, string> | undefined),
        }),
      }),
    }),
  ];
}
