import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

const algorithm = "aes-256-gcm";
const version = "v1";
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts small secrets for the database. */
export type Seal = {
  /** Returns `v1.<base64url of nonce, ciphertext, tag>`, bound to the purpose. */
  seal: (purpose: string, text: string) => string;
  /** Like `seal`, but equal texts have equal results, so that cursors can be compared. */
  sealEqually: (purpose: string, text: string) => string;
  /** Returns the text. Throws `Unsealable`. */
  open: (purpose: string, sealed: string) => string;
  /** Like `seal`, from bytes to bytes: nonce, ciphertext, tag. */
  sealBytes: (purpose: string, bytes: Uint8Array) => Buffer;
  openBytes: (purpose: string, sealed: Uint8Array) => Buffer;
};

/** The text was modified, or sealed for another purpose or with an unknown secret. */
export class Unsealable extends Error {
  override readonly name = "Unsealable";

  constructor() {
    // No cause and no input: the error is logged and the input is a secret.
    super("Could not open a sealed secret.");
  }
}

/** AES-256-GCM with a key derived from each secret (HKDF-SHA256). Seals with the first secret. */
export function createSeal(secrets: readonly [current: string, ...previous: string[]]): Seal {
  const current = keyOf(secrets[0]);
  const keys = [current, ...secrets.slice(1).map(keyOf)];
  const sealWith = (nonce: Buffer, purpose: string, bytes: Uint8Array) => {
    const cipher = createCipheriv(algorithm, current, nonce, { authTagLength: tagBytes });
    cipher.setAAD(context(purpose));
    const body = Buffer.concat([cipher.update(bytes), cipher.final()]);
    return Buffer.concat([nonce, body, cipher.getAuthTag()]);
  };
  const textOf = (sealed: Buffer) => `${version}.${sealed.toString("base64url")}`;
  const sealBytes: Seal["sealBytes"] = (purpose, bytes) =>
    sealWith(randomBytes(nonceBytes), purpose, bytes);
  const openBytes: Seal["openBytes"] = (purpose, sealed) => {
    for (const key of keys) {
      const bytes = tryOpen(key, context(purpose), sealed);
      if (bytes !== undefined) return bytes;
    }
    throw new Unsealable();
  };
  return {
    sealBytes,
    openBytes,
    seal: (purpose, text) => textOf(sealBytes(purpose, Buffer.from(text))),
    sealEqually(purpose, text) {
      const digest = createHmac("sha256", current)
        .update(context(purpose))
        .update("\0")
        .update(text);
      const nonce = digest.digest().subarray(0, nonceBytes);
      return textOf(sealWith(nonce, purpose, Buffer.from(text)));
    },
    open: (purpose, sealed) => openBytes(purpose, unpack(sealed)).toString("utf8"),
  };
}

function keyOf(secret: string): Buffer {
  if (secret === "") throw new Error("A sealing secret must not be empty.");
  return Buffer.from(hkdfSync("sha256", secret, "", "workspace-board-service/seal/v1", 32));
}

// The purpose is authenticated data, not part of the key: it can name a single row.
const context = (purpose: string) => Buffer.from(`${version}\0${purpose}`, "utf8");

function unpack(sealed: string): Buffer {
  const packed = sealed.startsWith(`${version}.`) ? sealed.slice(version.length + 1) : "";
  const bytes = Buffer.from(packed, "base64url");
  // Decoding ignores invalid characters and trailing bits: accept only what `seal` writes.
  if (bytes.toString("base64url") !== packed) throw new Unsealable();
  return bytes;
}

function tryOpen(key: Buffer, aad: Buffer, bytes: Uint8Array): Buffer | undefined {
  if (bytes.length < nonceBytes + tagBytes) return undefined;
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(aad).setAuthTag(bytes.subarray(-tagBytes));
  const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
  try {
    return Buffer.concat([text, decipher.final()]);
  } catch {
    return undefined;
  }
}
