import { z } from "zod";
import { CreatedAt } from "../fields/shared.ts";
import { idOf } from "../vocabulary/ids.ts";
import { Timestamp } from "../vocabulary/texts.ts";

const ProviderId = z.string().meta({
  description: "The provider of sign-in, as `signIn.start` takes it.",
  examples: ["github"],
});
const ProviderName = z.string().meta({ description: "What people read.", examples: ["GitHub"] });

/** A provider of sign-in. */
export const SignInProviderInfo = z
  .object({ id: ProviderId, name: ProviderName })
  .meta({ id: "SignInProvider", description: "A provider through which people sign in." });

/** A sign-in that has begun. */
export const StartedSignIn = z
  .object({
    url: z.string().meta({
      description: "Where the browser goes: a page of the provider.",
      examples: ["https://github.com/login/oauth/authorize?client_id=Iv1.8a61f9b3a7aba766"],
    }),
    secret: z.string().meta({
      description: "What `signIn.finish` takes. Keep it in the page that began, for ten minutes.",
      examples: ["the-secret-of-the-page"],
    }),
  })
  .meta({ id: "StartedSignIn", description: "A sign-in through a provider that has begun." });

/** Who the caller is at a provider. */
export const Identity = z
  .object({
    publicId: idOf("identity"),
    provider: ProviderId,
    email: z
      .string()
      .nullable()
      .meta({
        description:
          "The address at the provider when it was last used. Null if it vouched for none.",
        examples: ["ada@example.com"],
      }),
    createdAt: CreatedAt,
    lastUsedAt: Timestamp.meta({
      description: "When it was last used, in UTC.",
      examples: ["2026-02-02T08:15:00.000Z"],
    }),
  })
  .meta({ id: "Identity", description: "Who the caller is at a provider of sign-in." });
