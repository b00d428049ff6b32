import type { Caller } from "../access/callers.ts";

/** Who made an event, as it is kept with the event: what others are shown, and what the audit knows. */
export type Actor = {
  type: "user" | "apiKey" | "import" | "system";
  userId: bigint | null;
  publicId: string | null;
  name: string;
  /** What they came with: `session`, `apiKey`, `issuer`, or null for the service itself. */
  credential: string | null;
};

const system: Actor = {
  type: "system",
  userId: null,
  publicId: null,
  name: "system",
  credential: null,
};

/** The caller as an actor; nobody is the service itself. */
export function actorOf(caller: Caller | null): Actor {
  if (caller === null) return system;
  const { userId, key } = caller;
  if (key !== null) {
    return { type: "apiKey", userId, publicId: key.publicId, name: key.name, credential: "apiKey" };
  }
  const { publicId, name, sessionId } = caller;
  const credential = sessionId === null ? "issuer" : "session";
  return { type: "user", userId, publicId, name, credential };
}

/** An import as an actor: what it makes is nobody's own doing, but the audit knows who started it. */
export const importActor = (publicId: string, name: string, userId: bigint | null): Actor => ({
  type: "import",
  userId,
  publicId,
  name,
  credential: null,
});
