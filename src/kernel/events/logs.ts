/** A log: the events of a workspace, or those that only one user sees. */
export type Log<Id = bigint> = { of: "workspace" | "user"; id: Id };

/** The log of a workspace. */
export const workspaceLog = <Id>(id: Id): Log<Id> => ({ of: "workspace", id });

/** The log of a user. */
export const userLog = <Id>(id: Id): Log<Id> => ({ of: "user", id });

/** The name of a log in this process and in the messages between processes: `12` or `u12`. */
export const nameOf = ({ of, id }: Log): string => (of === "user" ? `u${id}` : String(id));

/** The log with a name; undefined for another text. */
export function logNamed(name: string): Log | undefined {
  const [, user, id] = /^(u?)(\d+)$/.exec(name) ?? [];
  return id === undefined ? undefined : { of: user === "u" ? "user" : "workspace", id: BigInt(id) };
}
