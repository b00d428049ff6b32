import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";
import { decodeJwt, type JWTPayload } from "jose";
import { startStandIn, type StandIn } from "./stand-in.ts";

/** What a provider does wrong, for one sign-in. */
export type ProviderFault = {
  claims?: JWTPayload;
  /** Signs with a key that it does not publish. */
  otherKey?: boolean;
  status?: number;
  body?: object;
};

/** A provider of OpenID Connect in the role of Google, Microsoft, Apple and others. */
export type SignInDouble = StandIn & {
  /** Signs a person in who was sent to `url`; returns where the browser goes then. */
  signIn(url: string, claims: JWTPayload, fault?: ProviderFault): URL;
  /** The issuer in the discovery document, unless it is the address. */
  issuer: string;
  /** Who signs in when a browser comes to its page. */
  visitor: JWTPayload | undefined;
};

type Waiting = { query: URLSearchParams; claims: JWTPayload; fault: ProviderFault };

const isVerified = (verifier: string, challenge: string | null) =>
  createHash("sha256").update(verifier).digest("base64url") === challenge;

const newKeys = () => generateKeyPairSync("rsa", { modulusLength: 2048 });

/** A token, signed at once: nobody asks for one before it is there. */
function signed(claims: JWTPayload, key: KeyObject): string {
  const parts = [{ alg: "RS256", kid: "key" }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  const text = parts.join(".");
  return `${text}.${sign("RSA-SHA256", Buffer.from(text), key).toString("base64url")}`;
}

/** Starts one; `path` is where its issuer is. */
export async function startSignInProvider(path = ""): Promise<SignInDouble> {
  const [published, other] = [newKeys(), newKeys()];
  const jwk = {
    ...published.publicKey.export({ format: "jwk" }),
    kid: "key",
    alg: "RS256",
    use: "sig",
  };
  const waiting = new Map<string, Waiting>();
  const tokens = new Map<string, string>();
  const standIn = await startStandIn((request) => {
    if (request.path === `${path}/.well-known/openid-configuration`) {
      return {
        status: 200,
        body: {
          issuer: double.issuer,
          authorization_endpoint: `${standIn.url}/authorize`,
          token_endpoint: `${standIn.url}/token`,
          jwks_uri: `${standIn.url}/keys`,
          id_token_signing_alg_values_supported: ["RS256"],
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
        },
      };
    }
    if (request.path === "/authorize" && double.visitor !== undefined) {
      const to = double.signIn(
        `${standIn.url}/authorize?${request.query.toString()}`,
        double.visitor,
      );
      return { status: 302, headers: { location: to.href }, body: "" };
    }
    if (request.path === "/keys") return { status: 200, body: { keys: [jwk] } };
    if (request.path !== "/token") return { status: 404, body: {} };
    const form = new URLSearchParams(request.body);
    const code = form.get("code") ?? "";
    const one = waiting.get(code);
    waiting.delete(code);
    if (one?.fault.status !== undefined) {
      return { status: one.fault.status, body: one.fault.body ?? {} };
    }
    const verifier = form.get("code_verifier") ?? "";
    const isRight =
      one !== undefined &&
      isVerified(verifier, one.query.get("code_challenge")) &&
      form.get("redirect_uri") === one.query.get("redirect_uri");
    if (!isRight) return { status: 400, body: { error: "invalid_grant" } };
    return {
      status: 200,
      body: {
        access_token: randomBytes(16).toString("hex"),
        token_type: "Bearer",
        expires_in: 300,
        id_token: tokens.get(code),
      },
    };
  });
  const double: SignInDouble = {
    ...standIn,
    issuer: `${standIn.url}${path}`,
    visitor: undefined,
    signIn(url, claims, fault = {}) {
      const query = new URL(url).searchParams;
      const code = randomBytes(16).toString("hex");
      waiting.set(code, { query, claims, fault });
      const seconds = Math.floor(Date.now() / 1000);
      const all: JWTPayload = {
        iss: double.issuer,
        aud: query.get("client_id") ?? "",
        iat: seconds,
        exp: seconds + 300,
        nonce: query.get("nonce") ?? "",
        ...claims,
        ...fault.claims,
      };
      tokens.set(
        code,
        signed(all, fault.otherKey === true ? other.privateKey : published.privateKey),
      );
      const back = new URL(query.get("redirect_uri") ?? "");
      back.searchParams.set("state", query.get("state") ?? "");
      back.searchParams.set("code", code);
      return back;
    },
  };
  return double;
}

/** The claims of the secret that Apple's clients sign. */
export const secretClaims = (request: { body: string }): JWTPayload =>
  decodeJwt(new URLSearchParams(request.body).get("client_secret") ?? "");

type GitHubPerson = {
  id: number;
  login: string;
  name: string | null;
  emails: { email: string; primary: boolean; verified: boolean }[];
};

/** GitHub's pages and API for sign-in. */
export async function startGitHubSignIn() {
  const people = new Map<string, GitHubPerson & { challenge: string | null }>();
  const standIn = await startStandIn(({ path, body, headers }) => {
    if (path === "/login/oauth/access_token") {
      const form = new URLSearchParams(body);
      const person = people.get(form.get("code") ?? "");
      // GitHub answers its errors with 200.
      if (person === undefined || !isVerified(form.get("code_verifier") ?? "", person.challenge)) {
        return { status: 200, body: { error: "bad_verification_code", error_description: "No." } };
      }
      return {
        status: 200,
        body: { access_token: form.get("code"), token_type: "bearer", scope: "read:user" },
      };
    }
    const person = people.get(String(headers.authorization).replace("Bearer ", ""));
    if (person === undefined) return { status: 401, body: { message: "Bad credentials" } };
    const { id, login, name, emails } = person;
    if (path === "/user") return { status: 200, body: { id, login, name, email: null } };
    if (path === "/user/emails") return { status: 200, body: emails };
    return { status: 404, body: { message: "Not Found" } };
  });
  return {
    ...standIn,
    signIn(url: string, person: GitHubPerson): URL {
      const query = new URL(url).searchParams;
      const code = randomBytes(16).toString("hex");
      people.set(code, { ...person, challenge: query.get("code_challenge") });
      const back = new URL(query.get("redirect_uri") ?? "");
      back.searchParams.set("state", query.get("state") ?? "");
      back.searchParams.set("code", code);
      return back;
    },
  };
}
