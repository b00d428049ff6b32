import { z } from "zod";
import { CreatedAt, MemberName, Picture, Version } from "../fields/shared.ts";
import { idOf } from "../vocabulary/ids.ts";

/** An account, as its owner sees it. */
export const User = z
  .object({
    publicId: idOf("user"),
    email: z.string().meta({
      description: "The email address. Spaces around it and case are ignored.",
      examples: ["ada@example.com"],
    }),
    name: MemberName,
    image: Picture,
    timeZone: z
      .string()
      .nullable()
      .meta({
        description:
          "The time zone in which days begin, such as `Europe/Berlin`. Null for the workspace's, else UTC.",
        examples: ["Europe/Berlin"],
      }),
    version: Version,
    createdAt: CreatedAt,
  })
  .meta({ id: "User", description: "An account, as its owner sees it." });
