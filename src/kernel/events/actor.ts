import type { Caller } from "../access/callers.ts";

/** The actor of an event, as it is stored with the event. */
export type StoredActor = {
  type: "user" | "apiKey" | "import" | "system";
  userId: bigint | null;
  publicId: string | null;
  name: string;
  /** `session`, `apiKey`, `issuer`, or null for the service itself. */
  credential: string | null;
};

const system: StoredActor = {
  type: "system",
  userId: null,
  publicId: null,
  name: "system",
  credential: null,
};

/** The caller as an actor; without a caller the service itself. */
export function actorOf(caller: Caller | null): StoredActor {
  if (caller === null) return system;
  const { userId, key } = caller;
  if (key !== null) {
    return { type: "apiKey", userId, publicId: key.publicId, name: key.name, credential: "apiKey" };
  }
  const { publicId, name, sessionId } = caller;
  const credential = sessionId === null ? "issuer" : "session";
  return { type: "user", userId, publicId, name, credential };
}

/** An operator as an actor: members see that one did it, and the operator's own log who. */
export const operatorActor: StoredActor = { ...system, name: "operator" };

/** An import as an actor; the audit log also has the user who started it. */
export const importActor = (
  publicId: string,
  name: string,
  userId: bigint | null,
): StoredActor => ({
  type: "import",
  userId,
  publicId,
  name,
  credential: null,
});
