import { randomBytes } from "node:crypto";
import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { iso, Timestamp } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { fingerprint, requireCredential } from "../../kernel/access/credentials.ts";

const ticketMs = 60_000;
const StreamTicket = z
  .object({ ticket: z.string(), expiresAt: Timestamp })
  .meta({ id: "StreamTicket" });

/** Gives out a ticket that opens one stream in place of the credential, for browsers, whose event sources send no headers. */
export const streamTicket = mutation("auth.streamTicket")
  .meta(
    rest("Auth").post(
      "/auth/stream-ticket",
      "Get a ticket for a stream",
      "The ticket opens one stream within a minute, as `?ticket=`, in place of the credential that it was made with: the stream is bounded as the credential is, and ends with it. A browser needs one because its EventSource cannot send an Authorization header.",
    ),
  )
  .output(StreamTicket)
  .mutation(async ({ ctx }) => {
    const { caller, tx } = ctx;
    const ticket = randomBytes(32).toString("base64url");
    const credential = requireCredential(ctx);
    const own = tx.now.getTime() + ticketMs;
    const expiresAt = new Date(Math.min(own, credential.expiresAt ?? own));
    await tx.prisma.streamTicket.create({
      data: {
        userId: caller.userId,
        ticketHash: fingerprint(ticket),
        credential,
        expiresAt,
      },
    });
    return { ticket, expiresAt: iso(expiresAt) };
  });
