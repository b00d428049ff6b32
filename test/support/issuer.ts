import { exportJWK, generateKeyPair, SignJWT, type JWK, type JWTPayload } from "jose";
import { startStandIn, type StandIn } from "./stand-in.ts";

type Signing = {
  kid: string;
  alg: string;
  key: Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];
  jwk: JWK;
};

/** An issuer of tokens on a loopback port: discovery, and the keys that it signs with. */
export type FakeIssuer = StandIn & {
  audience: string;
  /** A token as the issuer makes them, an hour long from `now`, but for what is said otherwise. */
  token(now: Date, claims?: JWTPayload, header?: { alg?: string; kid?: string }): Promise<string>;
  /** Signs with another key from now on; the one before is not published any more. */
  rotate(alg?: string): Promise<void>;
  /** The key that it signs with. */
  signing(): Signing;
  /** How often its keys have been asked for. */
  asked(): number;
  /** What discovery says that it is called; its address unless set. */
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
