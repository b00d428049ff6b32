import type { Context } from "./context.ts";

/** Calls other services in the caller's turn: they may take a minute to answer. */
export const inOutgoingTurn = <Result>(
  { deps, client }: Pick<Context, "deps" | "client">,
  call: () => Promise<Result>,
): Promise<Result> => deps.outgoingTurns.run(client, call);
