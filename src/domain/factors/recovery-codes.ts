import { randomBytes } from "node:crypto";
import { fingerprint } from "../../kernel/access/credentials.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { base32 } from "../factors/totp.ts";

const count = 10;
/** 80 bits: nobody finds one by guessing, so that SHA-256 hides it well. */
const codeBytes = 10;

/** Codes as people type them: hyphens, spaces and case do not matter. */
export const normalized = (code: string) => code.replace(/[\s-]/g, "").toLowerCase();

const newCode = () =>
  base32(randomBytes(codeBytes))
    .toLowerCase()
    .replace(/.{4}(?=.)/g, "$&-");

/** Gives a locked account ten new recovery codes. Older ones stop working. */
export async function replaceRecoveryCodes(
  { prisma }: Pick<UnitOfWork, "prisma">,
  userId: bigint,
): Promise<string[]> {
  const codes = Array.from({ length: count }, newCode);
  await prisma.recoveryCode.deleteMany({ where: { userId } });
  await prisma.recoveryCode.createMany({
    data: codes.map((code) => ({ userId, codeHash: fingerprint(normalized(code)) })),
  });
  return codes;
}

/** Uses up a recovery code of a locked account; false for a wrong one. */
export async function takeRecoveryCode(
  { prisma }: Pick<UnitOfWork, "prisma">,
  userId: bigint,
  normalizedCode: string,
): Promise<boolean> {
  const where = { userId, codeHash: fingerprint(normalizedCode) };
  return (await prisma.recoveryCode.deleteMany({ where })).count > 0;
}
