import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { WebhookNameInput, WebhookSecret } from "../../contract/fields/shared.ts";
import { WebhookDetail } from "../../contract/resources/webhooks.ts";
import { wrongFormat } from "../../contract/vocabulary/texts.ts";
import { showWebhook, showWebhookDetail } from "../../domain/presenters/webhooks.ts";
import { checkLimit, lockAccount } from "../../kernel/limits.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { openSecrets, sealSecret } from "./message/secrets.ts";
import { isSecret, makeSecret, secretPattern } from "./message/sign.ts";
import { EventPatterns } from "./pattern.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Board } from "../../platform/db/rows.ts";
import { notFound, badRequest } from "../../platform/errors.ts";
import { checkDestination, type OutgoingOptions } from "../../platform/http/address-guard.ts";

/** The URL of a webhook as input. `checkUrl` says what is wrong with another text. */
export const WebhookUrl = z
  .string()
  .trim()
  .min(1)
  .max(2048)
  .meta({
    format: "uri",
    pattern: "^[hH][tT][tT][pP][sS]?://",
    examples: ["https://hooks.example.com/boards"],
    description: "The https address that receives the events. It must resolve to public addresses.",
  });

/** 400 unless requests can be sent to a URL. */
export async function checkUrl(url: string, { policy, resolve }: OutgoingOptions): Promise<void> {
  const receiver = await checkDestination(url, policy, resolve);
  if ("refusal" in receiver) throw badRequest("target_refused", receiver.refusal, ["url"]);
}

/** A secret that a caller chooses. */
export const SecretInput = z
  .string()
  .max(200)
  .refine(isSecret, {
    error: "Must be `whsec_` followed by the base64 of 24 to 64 bytes",
    params: wrongFormat,
  })
  .meta({ pattern: secretPattern })
  .meta({ description: "Signs the deliveries: `whsec_` and the base64 of 24 to 64 bytes." });

const NewWebhook = z.strictObject({
  name: WebhookNameInput,
  url: WebhookUrl,
  events: EventPatterns,
  boardPublicId: inputId(
    "board",
    "Limits the webhook to a board. All boards by default.",
  ).optional(),
  secret: SecretInput.optional(),
});
const CreatedWebhook = WebhookDetail.extend({ secret: WebhookSecret }).meta({
  id: "NewWebhook",
  description: "A new webhook with its secret, which is returned only once.",
});

/** Adds a webhook and returns the secret that signs its deliveries. */
export const createWebhook = externalMutation("webhook.create", NewWebhook, {
  callsOut: true,
  async beforeLock({ workspace: { createdById }, tx }) {
    if (createdById !== null) await lockAccount(tx, createdById);
  },
  async onReplay({ webhook, workspace, db, deps }) {
    const { boardId } = webhook;
    const board = boardId === null ? null : await db.board.findUnique({ where: { id: boardId } });
    const [secret = ""] = openSecrets(deps.seal, webhook, deps.clock());
    return { ...showWebhookDetail(webhook, board, workspace), secret };
  },
})
  .meta(
    rest("Webhooks").post(
      "/workspaces/{workspacePublicId}/webhooks",
      "Add a webhook",
      "Adds a webhook that sends the events of a workspace, or of one board, to `url`. `secret` " +
        "signs the deliveries; without it the service generates one. Only this response " +
        "contains the secret.",
    ),
  )
  .output(CreatedWebhook)
  .mutation(async ({ ctx, input }) => {
    const { workspace, caller, deps, transact, newId: publicId } = ctx;
    await checkUrl(input.url, deps.outgoing);
    const secret = input.secret ?? makeSecret();
    return transact(async (tx) => {
      const { createdById } = workspace;
      await checkLimit(tx, "webhooks", workspace.id);
      if (createdById !== null) await checkLimit(tx, "account_webhooks", createdById);
      const { boardPublicId } = input;
      const board =
        boardPublicId === undefined ? null : await findBoard(tx, workspace.id, boardPublicId);
      const webhook = await tx.prisma.webhook.create({
        data: {
          publicId,
          workspaceId: workspace.id,
          boardId: board?.id ?? null,
          name: input.name,
          url: input.url,
          events: input.events,
          secret: sealSecret(deps.seal, secret),
          createdById: caller.userId,
          createdAt: tx.now,
          updatedAt: tx.now,
        },
      });
      tx.emit("webhook.created", { webhook: showWebhook(webhook, board) });
      return { ...showWebhookDetail(webhook, board, workspace), secret };
    });
  });

/** Finds the board that a webhook is limited to; 404 for a board of another workspace. */
export async function findBoard(
  { prisma }: UnitOfWork,
  workspaceId: bigint,
  publicId: string,
): Promise<Board> {
  const board = await prisma.board.findFirst({ where: { publicId, workspaceId, deletedAt: null } });
  if (board === null) throw notFound("board");
  return board;
}
