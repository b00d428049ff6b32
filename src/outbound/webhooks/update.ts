import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { WebhookNameInput } from "../../contract/fields/shared.ts";
import { WebhookDetail } from "../../contract/resources/webhooks.ts";
import { oldFlag, sameValue } from "../../contract/vocabulary/texts.ts";
import { redactChanges, showWebhook, showWebhookDetail } from "../../domain/presenters/webhooks.ts";
import { changesBetween, present } from "../../kernel/events/changes.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { findBoard, checkUrl, WebhookUrl } from "./create.ts";
import { EventPatterns } from "./pattern.ts";

const WebhookChange = z
  .strictObject({
    name: WebhookNameInput.optional(),
    url: WebhookUrl.optional(),
    events: EventPatterns.optional(),
    boardPublicId: inputId("board", "Limits the webhook to a board. Null selects all boards.")
      .nullable()
      .optional(),
    isActive: z.boolean().meta({ description: "Whether the webhook receives events." }).optional(),
    active: oldFlag("isActive"),
  })
  .refine(...sameValue("isActive", "active"));

/** Changes the given fields of a webhook. */
export const updateWebhook = externalMutation("webhook.update", WebhookChange, { callsOut: true })
  .meta(
    rest("Webhooks").put(
      "/workspaces/{workspacePublicId}/webhooks/{webhookPublicId}",
      "Update a webhook",
      "Changes the given fields of a webhook. `boardPublicId: null` selects all boards. A new " +
        "`url` or `isActive: true` resets `failingSince`. An inactive webhook gets no " +
        "deliveries, and its pending ones fail; `webhook.replay` can send those events later.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(WebhookDetail)
  .mutation(async ({ ctx, input }) => {
    if (input.url !== undefined) await checkUrl(input.url, ctx.deps.outgoing);
    return ctx.transact(async (tx, { webhook: before, workspace }) => {
      const { boardId } = before;
      const boardBefore =
        boardId === null ? null : await tx.prisma.board.findUnique({ where: { id: boardId } });
      const { boardPublicId, webhookPublicId: _, workspacePublicId: _in, ...others } = input;
      const { isActive, active = isActive, ...fields } = others;
      const board =
        typeof boardPublicId === "string"
          ? await findBoard(tx, workspace.id, boardPublicId)
          : boardPublicId === null
            ? null
            : boardBefore;
      const changedFields = present({ ...fields, active, boardId: board?.id ?? null });
      const changes = changesBetween(
        showWebhook(before, boardBefore),
        showWebhook({ ...before, ...changedFields }, board),
      );
      if (Object.keys(changes).length === 0) {
        return showWebhookDetail(before, boardBefore, workspace);
      }
      const resetsHealth = active === true || changes["url"] !== undefined;
      const after = await tx.prisma.webhook.update({
        where: { id: before.id },
        data: {
          ...changedFields,
          ...(resetsHealth ? { failingSince: null } : {}),
          version: { increment: 1 },
          updatedAt: tx.now,
        },
      });
      const data = { webhook: showWebhook(after, board) };
      tx.emit("webhook.updated", data, redactChanges(changes));
      return showWebhookDetail(after, board, workspace);
    });
  });
