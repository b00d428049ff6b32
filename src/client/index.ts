import type { TRPCLink } from "@trpc/client";
import { accountOf, type Account } from "./account.ts";
import { serviceAddress } from "./address.ts";
import { readBoards, type ReadBoards, type ReadBoardsOptions } from "./boards.ts";
import { operations, type Operations } from "./calls.ts";
import {
  cookieCredential,
  sessionCredential,
  sharedNameOf,
  tokenCredential,
  type Credential,
} from "./credential.ts";
import {
  followEvents,
  followUserEvents,
  type EventOptions,
  type FollowedEvent,
  type FollowedUserEvent,
  type UserEventOptions,
} from "./events.ts";
import { downloadFile, fileUrls, uploadFile, type UploadOptions } from "./files.ts";
import { trpcTo } from "./links.ts";
import { browserFetch } from "./progress.ts";
import { newKey } from "./public-id.ts";
import type { AppRouter, AttachmentDetail } from "./router.ts";
import { localStore, memoryStore, type Session, type SessionStore } from "./session-store.ts";
import { signInsWith } from "./sign-in-with.ts";
import { reportRefusals, transport, type Fetch } from "./transport.ts";
import type { OnWarning } from "./warnings.ts";

export { isError, isNotFound, isOffline, isOutOfDate, BoardServiceError } from "./errors.ts";
export { paginate } from "./pages.ts";
export { newPublicId } from "./public-id.ts";
export { verifyWebhook, type WebhookOptions } from "./webhooks.ts";
export { memoryStore, localStore };
export type { CallOptions, Operations, OperationsOf } from "./calls.ts";
export type { Account };
export type { Issue } from "./errors.ts";
export type * from "./router.ts";
export type { EventOptions, FollowedEvent, FollowedUserEvent, UserEventOptions };
export type { ReturnedOptions, SignInStorage, SignInWithOptions } from "./sign-in-with.ts";
export type { ReadBoards, ReadBoardsOptions, Session, SessionStore, UploadOptions };

/** How the client authenticates. */
export type Auth =
  | {
      /** Where the session of `account.signIn` is stored. */
      storage: "local" | "memory" | SessionStore;
    }
  | {
      /** An API key, or a function that returns the token of an identity provider. */
      token: string | (() => string | Promise<string>);
    }
  | {
      /** Sends the cookies of the page to a server that adds the token. */
      cookie: true;
    };

/** The options of a client. */
export type ClientOptions = {
  /** The address of the service, such as `https://boards.example.com`. */
  url: string;
  /** A stored session (by default in memory), a token, or the cookies of the page. */
  auth?: Auth;
  /** Called when the session has ended, or the token or cookie is refused: sign in again. */
  onSignedOut?: () => void;
  /** Called when the browser cannot store the session (`console.warn`). */
  onWarning?: (message: string, cause: unknown) => void;
  /** `shareAcrossTabs`: all tabs of a user follow events over one connection (false). */
  stream?: { shareAcrossTabs?: boolean };
  /** How long the service may take to respond, in ms (30,000); longer for a large file. */
  timeoutMs?: number;
  /** How often a request is repeated after a failure that may pass (4). */
  retries?: number;
  /** Replaces `fetch`. */
  fetch?: Fetch;
};

/** A client: all operations as functions, and what they cannot do over one request. */
export type Client = Operations & {
  /** Signs users in and out, for `auth: { storage }`. */
  account: Account;
  /** Follows the events of a workspace, live and without gaps. */
  events(workspacePublicId: string, options?: EventOptions): AsyncGenerator<FollowedEvent>;
  /** Follows what happens to the user, and the events of workspaces, over one connection. */
  userEvents(options?: UserEventOptions): AsyncGenerator<FollowedUserEvent>;
  /** Reads whole boards of a workspace, of one moment and of any size. */
  readBoards(workspacePublicId: string, options?: ReadBoardsOptions): Promise<ReadBoards>;
  /** Uploads a file to a card. */
  upload(
    cardPublicId: string,
    file: Blob & { name?: string },
    options?: UploadOptions,
  ): Promise<AttachmentDetail>;
  /** A URL of a file for `<img>`: it needs no credential, and is valid for minutes. */
  fileUrl(
    attachment: { publicId: string } | string,
    options?: { signal?: AbortSignal },
  ): Promise<string>;
  /** Downloads a file. */
  download(attachmentPublicId: string, options?: { signal?: AbortSignal }): Promise<Blob>;
  /** The links for a tRPC client or TanStack Query, with the same credential and retries. */
  links: TRPCLink<AppRouter>[];
};

/** Creates a client of the service. */
export function createClient(options: ClientOptions): Client {
  const { onSignedOut, timeoutMs = 30_000, retries = 4, auth = { storage: "memory" } } = options;
  const url = serviceAddress(options.url);
  const api = `${url}/api/v1`;
  const fetch = options.fetch ?? browserFetch("cookie" in auth);
  const limits = { timeoutMs, retries };
  const anonymous = transport(fetch, cookieCredential, limits);
  const post = (path: string, body: unknown) =>
    anonymous(`${api}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": newKey() },
      body: JSON.stringify(body),
    });
  const store = storeOf(auth, url, options.onWarning);
  const listeners = new Set<() => void>();
  const signedOut = () => {
    onSignedOut?.();
    for (const listener of listeners) listener();
  };
  const session = sessionCredential(store, `${url} session`, post, signedOut);
  const credential = credentialOf(auth, session);
  const sendDirectly = transport(fetch, credential, limits);
  const send = "storage" in auth ? sendDirectly : reportRefusals(sendDirectly, signedOut);
  const { links, connect } = trpcTo(`${url}/trpc`, send);
  const calls = operations(connect);

  const access = { fetch: send, sharedName: () => sharedNameOf(url, options, credential) };
  const account = accountOf(session, post, listeners, {
    signIns: signInsWith(url, post),
    logout: () => calls.auth.logout(),
    link: (input) => calls.signIn.link(input),
    passkeys: {
      start: () => calls.secondFactor.startPasskey({}),
      add: (input) => calls.secondFactor.addPasskey(input),
    },
  });
  const client = {
    account,
    links,
    events: (workspacePublicId: string, follow: EventOptions = {}) =>
      followEvents(access, `${api}/workspaces/${workspacePublicId}/events`, follow),
    userEvents: (follow: UserEventOptions = {}) =>
      followUserEvents(access, `${api}/users/me/events`, follow),
    readBoards: (workspacePublicId: string, readOptions: ReadBoardsOptions = {}) =>
      readBoards(send, `${api}/workspaces/${workspacePublicId}/snapshot`, readOptions),
    upload: (cardPublicId: string, file: Blob & { name?: string }, upload: UploadOptions = {}) =>
      uploadFile(send, `${api}/cards/${cardPublicId}/attachments`, file, upload),
    fileUrl: fileUrls(api, credential, (attachmentPublicId, call) =>
      calls.attachment.fileUrl({ attachmentPublicId }, call),
    ),
    download: (attachmentPublicId: string, call: { signal?: AbortSignal } = {}) =>
      downloadFile(send, `${api}/attachments/${attachmentPublicId}/content`, call),
  };
  return new Proxy(client, {
    get: (target, name) => (name in target ? target : calls)[name as never] as unknown,
  }) as unknown as Client;
}

function storeOf(auth: Auth, url: string, onWarning: OnWarning | undefined): SessionStore {
  if (!("storage" in auth) || auth.storage === "memory") return memoryStore();
  return auth.storage === "local" ? localStore(`${url} session`, onWarning) : auth.storage;
}

function credentialOf(auth: Auth, session: Credential): Credential {
  if ("token" in auth) return tokenCredential(auth.token);
  return "cookie" in auth ? cookieCredential : session;
}
