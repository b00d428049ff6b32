import { createHash } from "node:crypto";
import type { z } from "zod";
import type {
  PasskeyAnswer,
  PasskeyRegistration,
  PasskeyRequestOptions,
  StartedPasskey,
} from "../../contract/resources/second-factor.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import type { SecondFactor } from "../../platform/db/rows.ts";
import { loadOnce } from "../../platform/load-once.ts";

type Server = Pick<Deps, "baseUrl" | "config">;

/** How long a browser may wait for the person, in ms. */
const timeout = 300_000;
/** ES256, EdDSA and RS256: what passkeys have. */
const algorithms = [-7, -8, -257];

// It takes half a second to load, and most accounts have no passkey.
const loadWebAuthn = loadOnce(async () => {
  const [server, helpers] = await Promise.all([
    import("@simplewebauthn/server"),
    import("@simplewebauthn/server/helpers"),
  ]);
  return { ...server, ...helpers };
});

/** What a passkey signs: it follows from what the caller was given, so that it is stored nowhere. */
const challengeOf = (token: string) => createHash("sha256").update(token).digest("base64url");

/** The host that passkeys are for. */
export const hostOf = ({ baseUrl }: Pick<Deps, "baseUrl">) => new URL(baseUrl).hostname;

/** Where a page may use a passkey: here, or at a frontend whose host the browser finds related. */
const expected = ({ baseUrl, config }: Server, token: string) => ({
  expectedChallenge: challengeOf(token),
  expectedOrigin: [new URL(baseUrl).origin, ...config.CORS_ORIGINS],
  expectedRPID: hostOf({ baseUrl }),
  requireUserVerification: true,
});

const describe = ({ credentialId, transports }: SecondFactor) => ({
  id: credentialId ?? "",
  type: "public-key" as const,
  transports,
});
const passkeysIn = (factors: SecondFactor[]) => factors.filter(({ type }) => type === "passkey");

/** What a browser is asked for to use a passkey of an account; null if it has none. */
export function requestOptions(
  server: Pick<Deps, "baseUrl">,
  factors: SecondFactor[],
  token: string,
): z.infer<typeof PasskeyRequestOptions> | null {
  const passkeys = passkeysIn(factors);
  if (passkeys.length === 0) return null;
  return {
    challenge: challengeOf(token),
    rpId: hostOf(server),
    allowCredentials: passkeys.map(describe),
    userVerification: "required",
    timeout,
  };
}

type Owner = { publicId: string; email: string; name: string };

/** What a browser is asked for to make a passkey. */
export const creationOptions = (
  server: Pick<Deps, "baseUrl">,
  owner: Owner,
  factors: SecondFactor[],
  token: string,
): z.infer<typeof StartedPasskey>["options"] => ({
  challenge: challengeOf(token),
  rp: { id: hostOf(server), name: hostOf(server) },
  user: {
    id: Buffer.from(owner.publicId).toString("base64url"),
    name: owner.email,
    displayName: owner.name,
  },
  pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
  timeout,
  attestation: "none",
  excludeCredentials: passkeysIn(factors).map(describe),
  authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
});

/** A passkey that was verified when it was made. */
export type NewPasskey = {
  credentialId: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: bigint;
  transports: string[];
};

/** Verifies a new passkey; undefined if it is not what was asked for. */
export async function verifyNewPasskey(
  server: Server,
  token: string,
  answer: z.infer<typeof PasskeyRegistration>,
): Promise<NewPasskey | undefined> {
  const { verifyRegistrationResponse, decodeAttestationObject, isoBase64URL } =
    await loadWebAuthn();
  const { transports = [], ...response } = answer.response;
  try {
    const object = isoBase64URL.toBuffer(response.attestationObject);
    const attestation = decodeAttestationObject(object);
    // Certificates of a stranger would be followed to the addresses that they name.
    if (attestation.get("attStmt").get("x5c") !== undefined) return undefined;
    if (!["none", "packed"].includes(attestation.get("fmt"))) return undefined;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...answer, response, clientExtensionResults: {} },
      supportedAlgorithmIDs: algorithms,
      ...expected(server, token),
    });
    if (!verified || registrationInfo === undefined) return undefined;
    const { id, publicKey, counter } = registrationInfo.credential;
    return { credentialId: id, publicKey, counter: BigInt(counter), transports };
  } catch {
    // What does not fit, and what cannot be read, is thrown as a plain error.
    return undefined;
  }
}

/** A passkey that has signed a challenge: the id of its row, and how often it has signed. */
export type UsedPasskey = { id: bigint; counter: bigint };

/** Verifies what a passkey of an account has signed; undefined if it is wrong. */
export async function verifyPasskey(
  server: Server,
  token: string,
  answer: z.infer<typeof PasskeyAnswer>,
  factors: SecondFactor[],
): Promise<UsedPasskey | undefined> {
  const factor = passkeysIn(factors).find(({ credentialId }) => credentialId === answer.id);
  if (factor === undefined || factor.publicKey === null) return undefined;
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const credential = {
    id: answer.id,
    publicKey: Uint8Array.from(factor.publicKey),
    counter: Number(factor.counter),
  };
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...answer, clientExtensionResults: {} },
      credential,
      ...expected(server, token),
    });
    if (!verified) return undefined;
    return { id: factor.id, counter: BigInt(authenticationInfo.newCounter) };
  } catch {
    return undefined;
  }
}
