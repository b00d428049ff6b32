import { z } from "zod";
import { credentialKinds } from "../../kernel/access/credential.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { Unsealable } from "../../platform/crypto/seal.ts";
import { failure } from "../../platform/errors.ts";

const Claims = z.object({
  counted: z.string(),
  expires: z.number(),
  signer: z.object({ kind: credentialKinds, id: z.string() }),
});

/** What a token says: whose calls it counts for, until when it is valid (ms), and who signed it. */
type FileClaims = z.infer<typeof Claims>;

const purposeOf = (attachmentPublicId: string) => `file of attachment ${attachmentPublicId}`;

/** Signs and verifies the tokens of file URLs. A token is valid for one attachment. */
export const fileTokens = ({ seal, clock }: Pick<Deps, "seal" | "clock">) => ({
  sign: (attachmentPublicId: string, claims: FileClaims): string =>
    seal.seal(purposeOf(attachmentPublicId), JSON.stringify(claims)),

  /** Returns the claims; throws 404 for an invalid or expired token. */
  verify(attachmentPublicId: string, token: string): FileClaims {
    try {
      const claims = Claims.parse(JSON.parse(seal.open(purposeOf(attachmentPublicId), token)));
      if (clock().getTime() < claims.expires) return claims;
    } catch (error) {
      if (!(error instanceof Unsealable || error instanceof z.ZodError)) throw error;
    }
    throw invalidUrl();
  },
});

/** 404: the token of the URL is wrong or old, or its signer has lost access. */
export const invalidUrl = () =>
  failure(
    "file_url_invalid",
    "The URL of the file is invalid or has expired, or its creator has lost access. Create a new one.",
  );
