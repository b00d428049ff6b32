import { z } from "zod";
import { mayWrite } from "../../kernel/procedures.ts";
import { changesBetween, present } from "../../kernel/changes.ts";
import { checkVersion } from "../../kernel/unit-of-work.ts";
import { name } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/rest.ts";
import { User } from "../../contract/resources/users.ts";
import { viewUser } from "../views/users.ts";

const Update = z.strictObject({
  name: name(1, 255).optional(),
  image: z
    .url({ protocol: /^https$/, error: "Must be an https address" })
    .max(2048)
    .nullable()
    .optional(),
});

/** Changes the caller's name and picture. */
export const updateMe = mayWrite("user.update", Update)
  .meta(
    rest("Users").put(
      "/users/me",
      "Change the caller's account",
      "The name, and the https address of a picture; `null` takes the picture away.",
      { fails: ["PRECONDITION_FAILED"], versioned: true },
    ),
  )
  .output(User)
  .mutation(async ({ ctx: { caller, work, ifMatch }, input }) => {
    const where = { id: caller.userId };
    await work.query(`SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE`, [caller.userId]);
    const user = await work.tx.user.findUniqueOrThrow({ where });
    const given = present(input);
    checkVersion(ifMatch, user.version);
    work.version = user.version;
    const changes = changesBetween(viewUser(user), viewUser({ ...user, ...given }));
    if (Object.keys(changes).length === 0) return viewUser(user);
    const after = await work.tx.user.update({
      where,
      data: { ...given, version: { increment: 1 }, updatedAt: work.now },
    });
    work.version = after.version;
    return viewUser(after);
  });
