import { z } from "zod";

/** Where a stream of bytes is: over tRPC, which has none, it stands for them. */
export const Download = z
  .object({ url: z.string(), filename: z.string(), contentType: z.string() })
  .meta({ id: "Download" });
