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
  const sealWith = (nonce: Buffer, purpose: string, text: string) => {
    const cipher = createCipheriv(algorithm, current, nonce, { authTagLength: tagBytes });
    cipher.setAAD(context(purpose));
    const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    const sealed = Buffer.concat([nonce, body, cipher.getAuthTag()]);
    return `${version}.${sealed.toString("base64url")}`;
  };
  return {
    seal: (purpose, text) => sealWith(randomBytes(nonceBytes), purpose, text),
    sealEqually(purpose, text) {
      const digest = createHmac("sha256", current)
        .update(context(purpose))
        .update("\0")
        .update(text);
      return sealWith(digest.digest().subarray(0, nonceBytes), purpose, text);
    },
    open(purpose, sealed) {
      const bytes = unpack(sealed);
      for (const key of keys) {
        const text = tryOpen(key, context(purpose), bytes);
        if (text !== undefined) return text;
      }
      throw new Unsealable();
    },
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
  if (bytes.length < nonceBytes + tagBytes || bytes.toString("base64url") !== packed) {
    throw new Unsealable();
  }
  return bytes;
}

function tryOpen(key: Buffer, aad: Buffer, bytes: Buffer): string | undefined {
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(aad).setAuthTag(bytes.subarray(-tagBytes));
  const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
  try {
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
