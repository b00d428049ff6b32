import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Caller } from "../../kernel/access/callers.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { Unsealable, type Seal } from "../../platform/crypto/seal.ts";
import { badRequest } from "../../platform/errors.ts";

const purpose = "setup of a second factor";
const lifetimeMs = 10 * 60_000;

/** What names a set-up that has begun. */
export const SetupInput = z
  .string()
  .min(1)
  .max(1_000)
  .meta({ description: "What the start has returned.", examples: ["v1.the-sealed-setup"] });

type SealDeps = Pick<Deps, "seal" | "clock">;

/** What an account has begun to set up, for ten minutes. It is stored nowhere. */
export const newSetup = ({ seal, clock }: SealDeps, { publicId }: Caller, secret: Buffer) =>
  seal.seal(
    purpose,
    JSON.stringify([publicId, clock().getTime() + lifetimeMs, secret.toString("base64")]),
  );

/** What is set up when there is nothing to remember but that it was begun. */
export const noSecret = () => randomBytes(16);

/** The secret of a set-up; 400 for one that is another account's, or too old. */
export function secretOfSetup({ seal, clock }: SealDeps, caller: Caller, setup: string): Buffer {
  const [account, expires, secret] = open(seal, setup);
  if (account === caller.publicId && clock().getTime() < Number(expires)) {
    return Buffer.from(String(secret), "base64");
  }
  throw invalid();
}

function open(seal: Seal, setup: string): unknown[] {
  try {
    return JSON.parse(seal.open(purpose, setup));
  } catch (error) {
    if (error instanceof Unsealable) throw invalid();
    throw error;
  }
}

const invalid = () =>
  badRequest("token_invalid", "The set-up is unknown or has expired. Start it again.", ["setup"]);
