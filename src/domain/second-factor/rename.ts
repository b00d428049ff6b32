import { z } from "zod";
import { SecondFactor } from "../../contract/resources/second-factor.ts";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { notFound } from "../../platform/errors.ts";
import { showSecondFactor } from "../presenters/second-factors.ts";
import { FactorName } from "./add.ts";

/** Renames a second factor of the caller's account. */
export const renameSecondFactor = mutation(
  "secondFactor.rename",
  z.strictObject({ secondFactorPublicId: inputId("secondFactor"), name: FactorName }),
)
  .meta(
    rest("Auth").put(
      "/second-factors/{secondFactorPublicId}",
      "Rename a second factor",
      "Changes what the owner calls a second factor.",
    ),
  )
  .output(SecondFactor)
  .mutation(async ({ ctx: { caller, tx }, input: { secondFactorPublicId, name } }) => {
    const [factor] = await tx.prisma.secondFactor.updateManyAndReturn({
      where: { publicId: secondFactorPublicId, userId: caller.userId },
      data: { name },
    });
    if (factor === undefined) throw notFound("secondFactor");
    return showSecondFactor(factor);
  });
