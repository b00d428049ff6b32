const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz";

/** Makes a public id: 12 random characters of 0-9a-z. */
export function newPublicId(): string {
  let id = "";
  while (id.length < 12) {
    for (const byte of crypto.getRandomValues(new Uint8Array(16))) {
      // 252 is the largest multiple of 36 in a byte: beyond it the first characters were favoured.
      if (byte < 252 && id.length < 12) id += alphabet[byte % 36];
    }
  }
  return id;
}
