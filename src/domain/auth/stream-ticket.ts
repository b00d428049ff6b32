import { randomBytes } from "node:crypto";
import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { iso, Timestamp } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { fingerprint, requireCredential } from "../../kernel/access/credentials.ts";

const ticketMs = 60_000;
const StreamTicket = z
  .object({
    ticket: z.string().meta({
      description: "The ticket. It opens one stream, as `?ticket=`.",
      examples: ["the-ticket"],
    }),
    expiresAt: Timestamp.meta({
      description: "When it expires, in UTC. Null if it never expires.",
      examples: ["2026-01-31T10:01:00.000Z"],
    }),
  })
  .meta({ id: "StreamTicket", description: "A ticket that opens one stream." });

/**
 * Creates a ticket for one stream.
 *
 * A browser's EventSource cannot send an Authorization header.
 */
export const streamTicket = mutation("auth.streamTicket")
  .meta(
    rest("Auth").post(
      "/auth/stream-ticket",
      "Create a stream ticket",
      "Creates a ticket that opens one stream within one minute, as `?ticket=`. The stream has " +
        "the permissions of the credential that created the ticket, and ends with it. Use it in " +
        "browsers, where EventSource cannot send an Authorization header.",
    ),
  )
  .output(StreamTicket)
  .mutation(async ({ ctx }) => {
    const { caller, tx } = ctx;
    const ticket = randomBytes(32).toString("base64url");
    const credential = requireCredential(ctx);
    const latest = tx.now.getTime() + ticketMs;
    const expiresAt = new Date(Math.min(latest, credential.expiresAt ?? latest));
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
