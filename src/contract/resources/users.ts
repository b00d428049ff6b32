import { z } from "zod";
import { Timestamp } from "../vocabulary/fields.ts";

/** An account, as its owner sees it. */
export const User = z
  .object({
    publicId: z.string(),
    email: z.string(),
    name: z.string(),
    image: z.string().nullable(),
    timeZone: z.string().nullable(),
    version: z.int(),
    createdAt: Timestamp,
  })
  .meta({ id: "User" });
