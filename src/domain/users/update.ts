import { z } from "zod";
import { UserNameInput } from "../../contract/fields/shared.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { changesBetween, present } from "../../kernel/events/changes.ts";
import { checkPrecondition } from "../../kernel/invocation/preconditions.ts";
import { checkTimeZone } from "../../kernel/time-zones.ts";
import { TimeZone } from "../../contract/vocabulary/time-zone.ts";
import { rest } from "../../kernel/request/rest.ts";
import { User } from "../../contract/resources/users.ts";
import { showUser } from "../presenters/users.ts";
import { sql } from "../../platform/db/sql.ts";
import { emitMemberUpdates } from "./sync-profile.ts";

const Update = z.strictObject({
  name: UserNameInput.optional(),
  image: z
    .url({ protocol: /^https$/, error: "Must be an https URL" })
    .max(2048)
    .meta({ pattern: "^[hH][tT][tT][pP][sS]://" })
    .nullable()
    .meta({
      description: "The https URL of a picture. Null if there is none.",
      examples: ["https://images.example.com/ada.png"],
    })
    .optional(),
  timeZone: TimeZone.nullable()
    .meta({
      description:
        "The time zone in which days begin, such as `Europe/Berlin`. Null for the workspace's, else UTC.",
      examples: ["Europe/Berlin"],
    })
    .optional(),
});

/** Changes the caller's name, image and time zone. */
export const updateMe = mutation("user.update", Update)
  .meta(
    rest("Users").put(
      "/users/me",
      "Update your account",
      "Changes the caller's name, image (an https URL) and time zone. `null` removes the image " +
        "or the time zone. Also served at `/users`.",
      { errors: ["PRECONDITION_FAILED"], versioned: true, alias: "/users" },
    ),
  )
  .output(User)
  .mutation(async ({ ctx: { caller, tx, ifMatch }, input }) => {
    const where = { id: caller.userId };
    await tx.query(sql`SELECT 1 FROM users WHERE id = ${caller.userId} FOR NO KEY UPDATE`);
    const user = await tx.prisma.user.findUniqueOrThrow({ where });
    const fieldsInput = present(input);
    checkPrecondition(ifMatch, user.version);
    tx.version = user.version;
    const changes = changesBetween(showUser(user), showUser({ ...user, ...fieldsInput }));
    if (Object.keys(changes).length === 0) return showUser(user);
    await checkTimeZone(tx.query, fieldsInput.timeZone);
    const after = await tx.prisma.user.update({
      where,
      data: { ...fieldsInput, version: { increment: 1 }, updatedAt: tx.now },
    });
    // Members do not show their time zone.
    const { timeZone: _, ...shownChanges } = changes;
    if (Object.keys(shownChanges).length > 0) await emitMemberUpdates(tx, after.id);
    tx.version = after.version;
    return showUser(after);
  });
