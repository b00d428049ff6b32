import { z } from "zod";
import { Identity } from "../../contract/resources/sign-in.ts";
import { queueMail } from "../../kernel/jobs/mail.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { confirmOwner, OwnerPassword } from "../auth/confirm-owner.ts";
import { showIdentity } from "../presenters/identities.ts";
import { linkIdentity } from "./account.ts";
import { providerOf } from "./providers.ts";
import { ReturnedInput } from "./returned.ts";
import { useProof } from "./state.ts";

const Link = z.strictObject({
  ...ReturnedInput.shape,
  password: OwnerPassword,
});

/** Links a provider to the caller's account. */
export const linkProvider = externalMutation("signIn.link", Link)
  .meta(
    rest("Auth").post(
      "/sign-in/link",
      "Link a provider of sign-in",
      "Links the person whom the provider has proved to the caller's account: from then on both " +
        "ways lead to it. The owner is notified by mail. Returns 409 if that person has another " +
        "account, or this account has 20 linked providers. Where the server verifies email " +
        "addresses, it returns 403 until the caller's is verified.",
      { errors: ["CONFLICT"] },
    ),
  )
  .output(Identity)
  .mutation(async ({ ctx, input }) => {
    const { caller, deps } = ctx;
    const { password } = input;
    const confirm = await confirmOwner(ctx, { isUnrestricted: true, password });
    const identity = await useProof(ctx, input, async (tx, proved) => {
      await confirm(tx);
      const linked = await linkIdentity(tx, caller.userId, proved);
      const { name } = providerOf(deps, proved.provider);
      const text =
        `${name} was linked to your account: signing in there signs you in here.\n\n` +
        "If it was not you, reset your password: this unlinks all providers.";
      await queueMail(tx, deps, { to: caller.email, subject: `${name} was linked`, text });
      return linked;
    });
    return showIdentity(identity);
  });
