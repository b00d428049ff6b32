import { z } from "zod";
import { CreatedAt } from "../fields/shared.ts";
import { idOf } from "../vocabulary/ids.ts";
import { Timestamp } from "../vocabulary/texts.ts";

const FactorType = z.enum(["totp", "passkey"]).meta({
  id: "SecondFactorType",
  description: "`totp`: the codes of an app for authentication. `passkey`: WebAuthn.",
  examples: ["passkey"],
});

/** A second factor of an account, without its secret. */
export const SecondFactor = z
  .object({
    publicId: idOf("secondFactor"),
    type: FactorType,
    name: z.string().meta({ description: "What the owner calls it.", examples: ["Laptop"] }),
    createdAt: CreatedAt,
    lastUsedAt: Timestamp.nullable().meta({
      description: "When it was last used to sign in, in UTC. Null if it never was.",
      examples: ["2026-02-02T08:15:00.000Z"],
    }),
  })
  .meta({ id: "SecondFactor", description: "A second factor of the caller's account." });

/** The second factors of an account. */
export const SecondFactors = z
  .object({
    factors: z.array(SecondFactor).meta({ description: "The factors, oldest first." }),
    recoveryCodes: z
      .int()
      .meta({ description: "How many recovery codes were not used yet.", examples: [10] }),
  })
  .meta({ id: "SecondFactors", description: "The second factors of the caller's account." });

const Codes = z.array(z.string()).meta({
  description: "Ten codes, each of which replaces the factor once. They are shown this one time.",
  examples: [["k3v9-x2q7-w5m4-p6d2"]],
});

/** New recovery codes. */
export const RecoveryCodes = z
  .object({ recoveryCodes: Codes })
  .meta({ id: "RecoveryCodes", description: "The recovery codes of an account, shown once." });

/** A second factor that was added. */
export const AddedSecondFactor = z
  .object({
    factor: SecondFactor,
    recoveryCodes: Codes.nullable().meta({
      description: "Ten recovery codes for the first factor of an account. Null for a further one.",
    }),
  })
  .meta({ id: "AddedSecondFactor", description: "A second factor that was added." });

const Setup = z.string().meta({
  description: "Names what was begun to the call that adds it, for ten minutes.",
  examples: ["v1.the-sealed-setup"],
});

/** A code of an app that is being set up. */
export const StartedTotp = z
  .object({
    setup: Setup,
    secret: z.string().meta({
      description: "The secret in Base32, to enter by hand.",
      examples: ["JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"],
    }),
    url: z.string().meta({
      description: "The same as an `otpauth` URL: show it as a QR code.",
      examples: [
        "otpauth://totp/boards.example.com:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=boards.example.com",
      ],
    }),
  })
  .meta({ id: "StartedTotp", description: "The secret that an app for authentication is given." });

const PasskeyDescriptor = z
  .object({
    id: z.string().meta({ description: "The passkey.", examples: ["AAECAwQFBgcICQoLDA0ODw"] }),
    type: z.literal("public-key").meta({ description: "The type of WebAuthn." }),
    transports: z
      .array(z.string())
      .meta({ description: "How the browser reaches it.", examples: [["internal"]] }),
  })
  .meta({ id: "PasskeyDescriptor", description: "A passkey that the account has." });

const WebAuthnChallenge = z
  .string()
  .meta({ description: "What the passkey signs.", examples: ["YQBiAGMAZABlAGYAZwBoAGkAagBr"] });
const UserVerification = z
  .literal("required")
  .meta({ description: "The passkey asks for a PIN, a finger or a face." });
const Timeout = z
  .int()
  .meta({ description: "How long the browser waits, in ms.", examples: [300_000] });

/** What a browser is asked for to use a passkey. */
export const PasskeyRequestOptions = z
  .object({
    challenge: WebAuthnChallenge,
    rpId: z.string().meta({
      description: "The host whose passkeys are meant.",
      examples: ["boards.example.com"],
    }),
    allowCredentials: z
      .array(PasskeyDescriptor)
      .meta({ description: "The passkeys of the account." }),
    userVerification: UserVerification,
    timeout: Timeout,
  })
  .meta({
    id: "PasskeyRequestOptions",
    description:
      "For `navigator.credentials.get`, after `PublicKeyCredential.parseRequestOptionsFromJSON`.",
  });

/** What a browser is asked for to make a passkey. */
const PasskeyCreationOptions = z
  .object({
    challenge: WebAuthnChallenge,
    rp: z
      .object({
        id: z.string().meta({
          description: "The host that the passkey is for.",
          examples: ["boards.example.com"],
        }),
        name: z
          .string()
          .meta({ description: "What people read.", examples: ["boards.example.com"] }),
      })
      .meta({ description: "The service." }),
    user: z
      .object({
        id: z.string().meta({ description: "The account.", examples: ["dTVzOXIzYTFkN2w4"] }),
        name: z
          .string()
          .meta({ description: "The address of the account.", examples: ["ada@example.com"] }),
        displayName: z
          .string()
          .meta({ description: "The name of the account.", examples: ["Ada Lovelace"] }),
      })
      .meta({ description: "The account." }),
    pubKeyCredParams: z
      .array(
        z
          .object({
            type: z.literal("public-key").meta({ description: "The type of WebAuthn." }),
            alg: z.int().meta({ description: "An algorithm of COSE.", examples: [-7] }),
          })
          .meta({
            id: "PasskeyAlgorithm",
            description: "An algorithm that a passkey may sign with.",
          }),
      )
      .meta({ description: "The algorithms that the service verifies." }),
    timeout: Timeout,
    attestation: z
      .literal("none")
      .meta({ description: "The service does not ask who made the passkey." }),
    excludeCredentials: z
      .array(PasskeyDescriptor)
      .meta({ description: "The passkeys that the account has already." }),
    authenticatorSelection: z
      .object({
        residentKey: z.literal("preferred").meta({ description: "It may be found by its host." }),
        userVerification: UserVerification,
      })
      .meta({ description: "What the passkey must be able to do." }),
  })
  .meta({
    id: "PasskeyCreationOptions",
    description:
      "For `navigator.credentials.create`, after `PublicKeyCredential.parseCreationOptionsFromJSON`.",
  });

/** A passkey that is being made. */
export const StartedPasskey = z
  .object({ setup: Setup, options: PasskeyCreationOptions })
  .meta({ id: "StartedPasskey", description: "What a browser needs to make a passkey." });

const AnswerType = z.enum(["totp", "passkey", "recovery_code"]).meta({
  id: "SecondFactorAnswer",
  description: "What a sign-in can be confirmed with.",
  examples: ["totp"],
});

/** What a sign-in that waits for the second factor is continued with. */
export const SecondFactorChallenge = z
  .object({
    challenge: z.string().meta({
      description: "What `auth.confirm` takes, once, within five minutes.",
      examples: ["the-challenge-of-the-sign-in"],
    }),
    expiresAt: Timestamp.meta({
      description: "When it expires, in UTC.",
      examples: ["2026-01-31T10:05:00.000Z"],
    }),
    factors: z
      .array(AnswerType)
      .meta({ description: "What the account can answer with.", examples: [["totp", "passkey"]] }),
    passkey: PasskeyRequestOptions.nullable().meta({
      description: "What the browser needs to use a passkey. Null if the account has none.",
      examples: [null],
    }),
  })
  .meta({
    id: "SecondFactorChallenge",
    description: "Of `second_factor_required`: what `auth.confirm` continues with.",
  });

/** The same as a type. */
export type SecondFactorChallenge = z.infer<typeof SecondFactorChallenge>;

const bytes = (max: number, description: string) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, "Must be Base64url")
    .min(1)
    .max(max)
    .meta({ description, examples: ["AAECAwQFBgcICQoLDA0ODw"] });

const credential = {
  id: bytes(1_400, "The passkey, in Base64url."),
  rawId: bytes(1_400, "The same."),
  type: z.literal("public-key").meta({ description: "The type of WebAuthn." }),
};

/** What a passkey has signed, as `toJSON()` of the credential in a browser has it. */
export const PasskeyAnswer = z
  .object({
    ...credential,
    response: z
      .object({
        clientDataJSON: bytes(8_000, "What the browser has signed, in Base64url."),
        authenticatorData: bytes(8_000, "What the passkey says of itself, in Base64url."),
        signature: bytes(4_000, "The signature, in Base64url."),
      })
      .meta({ description: "The answer of the passkey." }),
  })
  .meta({
    id: "PasskeyAnswer",
    description: "The `toJSON()` of what `navigator.credentials.get` returned.",
  });

/** A new passkey, as `toJSON()` of the credential in a browser has it. */
export const PasskeyRegistration = z
  .object({
    ...credential,
    response: z
      .object({
        clientDataJSON: bytes(8_000, "What the browser has signed, in Base64url."),
        attestationObject: bytes(8_000, "The public key of the passkey, in Base64url."),
        transports: z
          .array(z.string().max(32))
          .max(10)
          .optional()
          .meta({ description: "How the browser reaches it.", examples: [["internal"]] }),
      })
      .meta({ description: "The answer of the passkey." }),
  })
  .meta({
    id: "PasskeyRegistration",
    description: "The `toJSON()` of what `navigator.credentials.create` returned.",
  });
