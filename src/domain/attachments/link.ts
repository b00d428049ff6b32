import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { checkLimit } from "../../kernel/limits.ts";
import { rest } from "../../kernel/request/rest.ts";
import { addressOf, shortened } from "../../platform/foreign-text.ts";
import { name, wrongFormat } from "../../contract/vocabulary/texts.ts";
import { AttachmentDetail } from "../../contract/resources/attachments.ts";
import { showAttachmentDetail } from "../presenters/attachments.ts";

const maxName = 255;

const LinkUrl = z
  .string()
  .trim()
  .min(1)
  .max(2_048)
  .refine((url) => /^https?:\/\//i.test(url) && addressOf(url) === url, {
    error: "Must be an http or https URL, such as https://example.com/plan",
    params: wrongFormat,
  })
  .meta({
    format: "uri",
    pattern: "^[hH][tT][tT][pP][sS]?://",
    examples: ["https://example.com/plan"],
    description: "The address that the link opens: http or https.",
  });

const NewLink = z.strictObject({
  url: LinkUrl,
  name: name(maxName)
    .meta({ description: "What the link is called. By default its URL.", examples: ["Plan"] })
    .optional(),
});

/** Attaches a link to a card. */
export const linkAttachment = mutation("attachment.link", NewLink, {
  onReplay: async ({ attachment, card, deps }) => showAttachmentDetail(attachment, card, deps),
})
  .meta(
    rest("Attachments").post(
      "/cards/{cardPublicId}/attachments/link",
      "Attach a link to a card",
      "Attaches an http or https address to a card. `POST /cards/{cardPublicId}/attachments` does " +
        "the same if its body is JSON and no file is named. The address is not fetched. Returns " +
        "409 if the card has too many attachments.",
      { jsonAt: "/cards/{cardPublicId}/attachments" },
    ),
  )
  .output(AttachmentDetail)
  .mutation(async ({ ctx, input }) => {
    const { card, list, board, workspace, caller, deps, newId: publicId, tx } = ctx;
    await checkLimit(tx, "attachments", card.id);
    const row = await tx.prisma.attachment.create({
      data: {
        publicId,
        workspaceId: workspace.id,
        cardId: card.id,
        kind: "link",
        status: "stored",
        filename: input.name ?? shortened(input.url, maxName),
        contentType: "text/uri-list",
        url: input.url,
        createdById: caller.userId,
        createdAt: tx.now,
        updatedAt: tx.now,
      },
    });
    const { cardPublicId, ...attachment } = showAttachmentDetail(row, card, deps);
    tx.emit("attachment.created", { attachment, card, list, board });
    return { ...attachment, cardPublicId };
  });
