/** Random characters of 0-9a-v. Browsers make UUIDs on secure pages only. */
const randomId = (length: number): string =>
  // Of 32 characters each is equally likely, of 36 it is not.
  Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) =>
    (byte % 32).toString(36),
  ).join("");

/** Makes a public id: 12 random characters. */
export const newPublicId = (): string => randomId(12);

/** Makes an `Idempotency-Key`: as random as a UUID. */
export const newKey = (): string => randomId(26);
