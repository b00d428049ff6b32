import { z } from "zod";

/** The kind of actor. */
export const ActorType = z
  .enum(["user", "apiKey", "import", "system"])
  .meta({ id: "ActorType", description: "The kind of actor." });

/** What an attachment is. */
export const AttachmentKind = z
  .enum(["file", "link"])
  .meta({ id: "AttachmentKind", description: "A stored file, or a link to another address." });

/** What a board is for. */
export const BoardType = z
  .enum(["regular", "template"])
  .meta({ id: "BoardType", description: "A board for work, or a template to copy." });

/** What happens to cards beyond the limit of a list. */
export const WipMode = z.enum(["off", "warn", "block"]).meta({
  id: "WipMode",
  description:
    "What happens to cards beyond `wipLimit`. `off`: nothing. `warn`: `cardsOverLimit` counts them. " +
    "`block`: they are refused.",
});

/** What happens when a card is completed that has open blockers or children. */
export const OpenWorkMode = z.enum(["off", "warn", "block"]).meta({
  id: "OpenWorkMode",
  description:
    "What happens when a card is completed while cards of the board block it, or its children " +
    "there are not complete. `off`: nothing. `warn`: clients ask. `block`: it is refused.",
  examples: ["off"],
});

/** Who may see a board. */
export const BoardVisibility = z.enum(["private", "restricted", "public"]).meta({
  id: "BoardVisibility",
  description:
    "`private`: members of the workspace. `restricted`: members of the board. `public`: everyone.",
});
