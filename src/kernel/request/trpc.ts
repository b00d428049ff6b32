import { initTRPC } from "@trpc/server";
import { z } from "zod";
import type { Operation } from "../../contract/policy.ts";
import { issueMessage } from "../schemas/messages.ts";
import type { Context } from "./context.ts";
import { failureOf } from "./error-response.ts";
import type { RestMeta } from "./rest.ts";

/** The metadata of a procedure: its name in the policy and its REST route. */
export type Meta = RestMeta & {
  operation?: Operation;
  /** Whether its handler runs in a turn of its caller. */
  takesTurn?: boolean;
  /** Whether it can run in the transaction of a batch. */
  joins?: true;
};

z.config({ customError: issueMessage });

const trpc = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    isDev: false,
    sse: {
      ping: { enabled: true, intervalMs: 15_000 },
      client: { reconnectAfterInactivityMs: 45_000 },
    },
    errorFormatter({ shape, error, ctx }) {
      const { body, status } = failureOf(error, ctx?.requestMetadata.requestId);
      const { path } = shape.data;
      return { ...shape, message: body.message, data: { ...body, httpStatus: status, path } };
    },
  });

export const { router } = trpc;

/** The bare procedure: only `kernel/procedures/` builds on it. */
export const { procedure } = trpc;

/** An item of a subscription, with the cursor after it as `id`. */
export type TrackedData<Data> = { id: string; data: Data };

/** An error as tRPC's clients get it. */
export type ErrorShape = (typeof trpc)["_config"]["$types"]["errorShape"];
