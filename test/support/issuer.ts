import { exportJWK, generateKeyPair, SignJWT, type JWK, type JWTPayload } from "jose";
import { startStandIn, type StandIn } from "./stand-in.ts";

type Signing = {
  kid: string;
  alg: string;
  key: Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];
  jwk: JWK;
};

/** An OpenID issuer on a loopback port, with discovery and signing keys. */
export type FakeIssuer = StandIn & {
  audience: string;
  /** A token, valid for an hour from `now` unless the claims differ. */
  token(now: Date, claims?: JWTPayload, header?: { alg?: string; kid?: string }): Promise<string>;
  /** Signs with a new key; the previous key is no longer published. */
  rotate(alg?: string): Promise<void>;
  /** The signing key. */
  signing(): Signing;
  /** The number of requests for its keys. */
  asked(): number;
  /** The issuer in the discovery document; its address unless set. */
  calledItself: string | undefined;
};

let count = 0;

async function makeKey(alg: string): Promise<Signing> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const kid = `key-${++count}`;
  return { kid, alg, key: privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg } };
}

/** Starts an issuer whose keys are of RS256. */
export async function startIssuer(): Promise<FakeIssuer> {
  let signing = await makeKey("RS256");
  const standIn = await startStandIn(({ path }) => {
    if (path === "/.well-known/openid-configuration") {
      const issuer = fake.calledItself ?? fake.url;
      return { status: 200, body: { issuer, jwks_uri: `${fake.url}/keys` } };
    }
    if (path === "/keys") return { status: 200, body: { keys: [signing.jwk] } };
    return { status: 404, body: "" };
  });
  const fake: FakeIssuer = {
    ...standIn,
    audience: "boards",
    calledItself: undefined,
    async token(now, claims = {}, header = {}) {
      const seconds = Math.floor(now.getTime() / 1000);
      const usual = { iss: fake.url, aud: fake.audience, iat: seconds, exp: seconds + 3600 };
      const all: JWTPayload = { ...usual, sub: "subject", ...claims };
      const { alg, kid, key } = signing;
      return new SignJWT(all).setProtectedHeader({ alg, kid, ...header }).sign(key);
    },
    async rotate(alg = "RS256") {
      signing = await makeKey(alg);
    },
    signing: () => signing,
    asked: () => standIn.requests.filter(({ path }) => path === "/keys").length,
  };
  return fake;
}
