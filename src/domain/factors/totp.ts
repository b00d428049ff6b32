import { createHmac, timingSafeEqual } from "node:crypto";

const stepSeconds = 30;
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** How many bytes a secret has: as many as the hash. */
export const secretBytes = 20;

/** The code of a time step (RFC 6238, SHA-1, of six digits unless told). */
export function codeOf(secret: Buffer, step: number, digits = 6): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", secret).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 15;
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/**
 * The time step whose code this is; undefined for a wrong code, and for one that is not newer than
 * the last. The clock of the app may differ by one step.
 */
export function stepOf(
  secret: Buffer,
  code: string,
  now: Date,
  lastStep: number,
): number | undefined {
  const present = Math.floor(now.getTime() / 1000 / stepSeconds);
  const sent = Buffer.from(code);
  return [present - 1, present, present + 1].find((step) => {
    const expected = Buffer.from(codeOf(secret, step));
    return step > lastStep && sent.length === expected.length && timingSafeEqual(sent, expected);
  });
}

/** Bytes in Base32 without padding (RFC 4648). */
export function base32(bytes: Buffer): string {
  let bits = "";
  for (const byte of bytes) bits += byte.toString(2).padStart(8, "0");
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, "0"), 2)]).join("");
}
