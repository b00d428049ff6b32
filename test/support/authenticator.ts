import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

const head = (major: number, value: number) =>
  value < 24
    ? Buffer.from([(major << 5) | value])
    : value < 256
      ? Buffer.from([(major << 5) | 24, value])
      : Buffer.from([(major << 5) | 25, value >> 8, value & 255]);

/** Writes CBOR, as far as passkeys need it. */
function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") {
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  }
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, one]) => [cbor(key), cbor(one)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

const sha256 = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest();
const text = (bytes: Buffer) => bytes.toString("base64url");

/** What a passkey does otherwise than it should. */
export type PasskeyFault = {
  origin?: string;
  rpId?: string;
  challenge?: string;
  isVerified?: boolean;
  counter?: number;
};

/** A passkey in memory, which makes and signs what a browser would. */
export function authenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(16);
  let counter = 0;
  const clientData = (type: string, challenge: string, fault: PasskeyFault) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: fault.challenge ?? challenge,
        origin: fault.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const dataOf = (fault: PasskeyFault, isNew: boolean) => {
    const flags = 1 | (fault.isVerified === false ? 0 : 4) | (isNew ? 64 : 0);
    counter = fault.counter ?? counter + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const rpId = fault.rpId ?? new URL(origin).hostname;
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count]);
  };
  const named = { id: text(id), rawId: text(id), type: "public-key" as const };
  return {
    id: named.id,
    /** What `navigator.credentials.create` returns. */
    create(challenge: string, fault: PasskeyFault = {}) {
      const key = cbor(
        new Map<number, Cbor>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, "base64url")],
          [-3, Buffer.from(y, "base64url")],
        ]),
      );
      const length = Buffer.from([0, id.length]);
      const authData = Buffer.concat([dataOf(fault, true), Buffer.alloc(16), length, id, key]);
      const attestationObject = cbor(
        new Map<string, Cbor>([
          ["fmt", "none"],
          ["attStmt", new Map()],
          ["authData", authData],
        ]),
      );
      return {
        ...named,
        response: {
          clientDataJSON: text(clientData("webauthn.create", challenge, fault)),
          attestationObject: text(attestationObject),
          transports: ["internal"],
        },
      };
    },
    /** What `navigator.credentials.get` returns. */
    sign(challenge: string, fault: PasskeyFault = {}) {
      const authenticatorData = dataOf(fault, false);
      const data = clientData("webauthn.get", challenge, fault);
      const signer = createSign("sha256").update(Buffer.concat([authenticatorData, sha256(data)]));
      return {
        ...named,
        response: {
          clientDataJSON: text(data),
          authenticatorData: text(authenticatorData),
          signature: text(signer.sign(privateKey)),
        },
      };
    },
  };
}
