import { z } from "zod";
import { externalMutation } from "../../kernel/procedures/external.ts";
import { changesBetween, present } from "../../kernel/events/changes.ts";
import { checkPrecondition } from "../../kernel/procedures/preconditions.ts";
import { badRequest, notFound } from "../../platform/errors.ts";
import { name, PublicId } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { checkTarget } from "../../platform/http/address-guard.ts";
import { EventPatterns } from "./pattern.ts";
import { toldChanges, viewWebhook } from "../../domain/views/webhooks.ts";
import { Webhook } from "../../contract/resources/webhooks.ts";
import { sql } from "../../platform/db/sql.ts";

const Update = z.strictObject({
  name: name(1, 255).optional(),
  url: z.string().min(1).max(2048).optional(),
  events: EventPatterns.optional(),
  boardPublicId: PublicId.nullable().optional(),
  active: z.boolean().optional(),
});

const hold = (id: bigint) =>
  sql`SELECT id FROM webhooks WHERE id = ${id} AND "deletedAt" IS NULL FOR NO KEY UPDATE`;

/** Changes what is given of a webhook; switching it on forgets that it was failing. */
export const updateWebhook = externalMutation("webhook.update", Update)
  .meta(
    rest("Webhooks").put(
      "/workspaces/{workspacePublicId}/webhooks/{webhookPublicId}",
      "Change a webhook",
      "Changes what is given; `boardPublicId: null` lets it hear of all boards, and switching it on, or another address, forgets that it was failing. While it is switched off nothing is kept for it, and what waits ends; `webhook.replay` sends it later.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(Webhook)
  .mutation(async ({ ctx, input }) => {
    const { webhook, workspace, deps } = ctx;
    if (input.url !== undefined) {
      const target = await checkTarget(input.url, deps.outgoing.policy, deps.outgoing.resolve);
      if ("refusal" in target) throw badRequest(target.refusal, ["url"]);
    }
    return ctx.transact(async (tx) => {
      const [held] = await tx.query(hold(webhook.id));
      if (held === undefined) throw notFound("webhook");
      const before = await tx.prisma.webhook.findUniqueOrThrow({ where: { id: webhook.id } });
      checkPrecondition(ctx.ifMatch, before.version);
      const board = await boardOf(input.boardPublicId);
      const { boardPublicId: _, webhookPublicId: _id, workspacePublicId: _in, ...fields } = input;
      const given = present({ ...fields, boardId: board?.id });
      const old =
        before.boardId === null
          ? null
          : await tx.prisma.board.findUnique({ where: { id: before.boardId } });
      const shown = board === undefined ? old : board.row;
      const changes = changesBetween(
        viewWebhook(before, old),
        viewWebhook({ ...before, ...given }, shown),
      );
      if (Object.keys(changes).length === 0) return viewWebhook(before, old);
      const after = await tx.prisma.webhook.update({
        where: { id: webhook.id },
        data: {
          ...given,
          ...(input.active === true || changes["url"] !== undefined ? { failingSince: null } : {}),
          version: { increment: 1 },
          updatedAt: tx.now,
        },
      });
      const webhookShown = viewWebhook(after, shown);
      tx.emit("webhook.updated", { webhook: webhookShown }, toldChanges(changes));
      return webhookShown;

      async function boardOf(publicId: string | null | undefined) {
        if (publicId === undefined) return undefined;
        if (publicId === null) return { id: null, row: null };
        const row = await tx.prisma.board.findFirst({
          where: { publicId, workspaceId: workspace.id, deletedAt: null },
        });
        if (row === null) throw notFound("board");
        return { id: row.id, row };
      }
    });
  });
