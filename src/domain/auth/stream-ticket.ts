import { randomBytes } from "node:crypto";
import { z } from "zod";
import { mayWrite } from "../../kernel/procedures.ts";
import { iso, Timestamp } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/rest.ts";
import { fingerprint, proven } from "../../kernel/access/credentials.ts";

const ticketMs = 60_000;
const StreamTicket = z
  .object({ ticket: z.string(), expiresAt: Timestamp })
  .meta({ id: "StreamTicket" });

/** Gives out a ticket that opens one stream in place of the credential, for browsers, whose event sources send no headers. */
export const streamTicket = mayWrite("auth.streamTicket")
  .meta(
    rest("Auth").post(
      "/auth/stream-ticket",
      "Get a ticket for a stream",
      "The ticket opens one stream within a minute, as `?ticket=`, in place of the credential that it was made with: the stream is bounded as the credential is, and ends with it. A browser needs one because its EventSource cannot send an Authorization header.",
    ),
  )
  .output(StreamTicket)
  .mutation(async ({ ctx }) => {
    const { caller, work } = ctx;
    const ticket = randomBytes(32).toString("base64url");
    const credential = proven(ctx);
    const own = work.now.getTime() + ticketMs;
    const expiresAt = new Date(Math.min(own, credential.goodUntil ?? own));
    await work.tx.streamTicket.create({
      data: {
        userId: caller.userId,
        ticketHash: fingerprint(ticket),
        credential,
        expiresAt,
      },
    });
    return { ticket, expiresAt: iso(expiresAt) };
  });
