import { z } from "zod";

/** The URL of a download: the response over tRPC, which has no byte streams. */
export const Download = z
  .object({ url: z.string(), filename: z.string(), contentType: z.string() })
  .meta({ id: "Download" });
