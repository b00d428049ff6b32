import { z } from "zod";
import { idOf } from "../vocabulary/ids.ts";
import { allScopes } from "../vocabulary/oauth.ts";
import { name, Timestamp } from "../vocabulary/texts.ts";

/** Characters that control a line, or turn or hide what is beside them. Emoji are joined by others. */
const misleading = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u;

/** The name of an app. People read it when they decide: it has no characters that hide others. */
export const AppName = name(100)
  .refine((text) => !misleading.test(text), { error: "Must not have control characters" })
  .meta({ description: "The name of the app.", examples: ["Claude"] });

const ClientId = z.string().meta({
  description: "What the app sends as `client_id`.",
  examples: ["https://agents.example.com/client.json"],
});

/** An app that was registered. */
export const RegisteredApp = z
  .object({
    clientId: ClientId,
    name: AppName,
    redirectUris: z.array(z.string()).meta({
      description: "Where the browser may return.",
      examples: [["http://127.0.0.1:33418/callback"]],
    }),
  })
  .meta({ id: "RegisteredApp", description: "An app that was registered." });

/** An app, as people see it. */
export const AppInfo = z
  .object({
    publicId: idOf("app"),
    clientId: ClientId,
    name: AppName,
    vouchedBy: z
      .string()
      .nullable()
      .meta({
        description:
          "The host of the app's own document. Null if nobody vouches for the name: the app chose it.",
        examples: ["agents.example.com"],
      }),
  })
  .meta({ id: "AppInfo", description: "An app that people can connect." });

/** The tokens of a connected app. */
export const GrantTokens = z
  .object({
    accessToken: z.string().meta({
      description: "The token to send as `Authorization: Bearer …`.",
      examples: ["the-access-token"],
    }),
    tokenType: z.literal("Bearer").meta({ description: "The scheme of the header." }),
    expiresIn: z
      .int()
      .meta({ description: "How long the access token is valid, in seconds.", examples: [3_600] }),
    refreshToken: z.string().meta({
      description: "Gets new tokens from `oauth.token`. It works once, within 30 days.",
      examples: ["the-refresh-token"],
    }),
    scope: z.string().meta({
      description: "What the app may do: `boards:read`, and `boards:write` unless it only reads.",
      examples: [allScopes.join(" ")],
    }),
  })
  .meta({ id: "GrantTokens", description: "The tokens of a connected app." });

/** What a person reads before they decide. */
const asked = {
  app: AppInfo,
  resource: z.string().meta({
    description: "The address that the app wants to call.",
    examples: ["https://boards.example.com/mcp"],
  }),
  mayWrite: z.boolean().meta({ description: "Whether the app asks to write." }),
  needsPassword: z.boolean().meta({
    description: "Whether the caller's password is required to allow everything.",
  }),
  forbiddenIn: z.array(idOf("workspace")).meta({
    description: "The caller's workspaces that forbid the app.",
  }),
};

/** What an app asks a person for. */
export const ConnectionRequest = z
  .object({
    redirectTo: z
      .string()
      .nullable()
      .meta({
        description: "Where to send the browser instead of asking, if the request is invalid.",
        examples: [null],
      }),
    returnsTo: z.string().meta({
      description: "Where the browser returns: a host, or this computer.",
      examples: ["this computer"],
    }),
    ...asked,
  })
  .meta({ id: "ConnectionRequest", description: "What an app asks a person for." });

/** What a program without a browser asks a person for. */
export const DeviceRequest = z
  .object({
    startedAt: Timestamp.meta({
      description: "When the program asked for its code, in UTC.",
      examples: ["2026-02-02T08:15:00.000Z"],
    }),
    ...asked,
  })
  .meta({ id: "DeviceRequest", description: "What a program with a code asks a person for." });

/** The codes of a program without a browser. */
export const DeviceAuthorization = z
  .object({
    deviceCode: z.string().meta({
      description: "What the program exchanges for tokens with `oauth.token`. Nobody else sees it.",
      examples: ["the-device-code"],
    }),
    userCode: z.string().meta({
      description: "What the program shows, for the person to enter.",
      examples: ["WDJB-MJHT"],
    }),
    verificationUri: z.string().meta({
      description: "Where the person enters it.",
      examples: ["https://boards.example.com/oauth/device"],
    }),
    verificationUriComplete: z.string().meta({
      description: "The same address with the code filled in. The page still asks.",
      examples: ["https://boards.example.com/oauth/device?user_code=WDJB-MJHT"],
    }),
    expiresIn: z
      .int()
      .meta({ description: "How long the codes work, in seconds.", examples: [600] }),
    interval: z
      .int()
      .meta({ description: "How long to wait between two polls, in seconds.", examples: [5] }),
  })
  .meta({ id: "DeviceAuthorization", description: "The codes of a program without a browser." });

/** The answer to a decision. */
export const Decided = z
  .object({
    redirectTo: z.string().meta({
      description: "Where to send the browser: back to the app, with a code or an error.",
      examples: ["http://127.0.0.1:33418/callback?code=the-code&state=k9"],
    }),
  })
  .meta({ id: "Decided", description: "Where the browser returns after a decision." });

/** An app that acts in a workspace, or that it forbids. */
export const WorkspaceApp = AppInfo.extend({
  isForbidden: z.boolean().meta({ description: "Whether the workspace forbids the app." }),
  members: z
    .int()
    .meta({ description: "How many active members have connected it here.", examples: [3] }),
  lastUsedAt: Timestamp.nullable().meta({
    description: "When it was last used, in UTC. Null if it was never used.",
    examples: ["2026-02-02T08:15:00.000Z"],
  }),
}).meta({
  id: "WorkspaceApp",
  description: "An app that acts in a workspace, or that it forbids.",
});
