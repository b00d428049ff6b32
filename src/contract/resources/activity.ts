import { z } from "zod";
import { ActorType } from "../vocabulary/enums.ts";
import { ActorName, CreatedAt } from "../fields/shared.ts";
import { idOf } from "../vocabulary/ids.ts";

/** An event of the history of a card or board. */
export const Activity = z
  .object({
    publicId: idOf("event"),
    type: z.string().meta({
      description: "The type of the event, such as `card.created`.",
      examples: ["list.created"],
    }),
    actor: z
      .object({
        type: ActorType,
        publicId: idOf(
          "user",
          "Public id of the user or API key. Null for other actors.",
        ).nullable(),
        name: ActorName,
      })
      .meta({ description: "Who caused the event: a user, an API key, an import or the system." }),
    data: z.record(z.string(), z.unknown()).meta({
      examples: [
        {
          list: { publicId: "z7c4n9f3j1y6", name: "To do" },
          board: { publicId: "p5d2h8s4t6b1", name: "Website relaunch" },
        },
      ],
      description: "The resource under its own name, and its parents.",
    }),
    changes: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ examples: [null], description: "The changed fields, each with `from` and `to`." }),
    createdAt: CreatedAt,
  })
  .meta({ id: "Activity", description: "An event of the history of a card." });
