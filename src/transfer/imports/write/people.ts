import { memberName } from "../../../domain/cards/summaries.ts";
import type { Query } from "../../../platform/db/query.ts";

/** A member of the workspace. */
export type Person = { id: bigint; publicId: string };

/** A member at the source. */
export type SourceMember = {
  email?: string | null;
  username?: string | null;
  name?: string | null;
};

type Row = Person & { email: string; name: string; github: string | null };

const statement = `SELECT m.id, m."publicId", m."userId", m.email, ${memberName} AS name, i.account AS github
  FROM members m LEFT JOIN users u ON u.id = m."userId"
  LEFT JOIN integrations i ON i."userId" = m."userId" AND i.provider = 'github'
  WHERE m."workspaceId" = $1 AND m.status <> 'removed' ORDER BY m.id`;

/**
 * The members of a workspace, for people of a source to be matched with: by their address, else by their user name where just one
 * member goes by it (or has it before the `@`), else by their full name where just one member has it.
 */
export async function matcher(query: Query, workspaceId: bigint) {
  const rows = await query<Row>(statement, [workspaceId]);
  const [byEmail, byUserName, byName, byLogin] = [index(), index(), index(), index()];
  for (const { email, name, github, ...person } of rows) {
    byEmail.add(email, person);
    byUserName.add(email.split("@")[0], person);
    byUserName.add(name, person);
    byName.add(name, person);
    byLogin.add(github, person);
  }
  return {
    /** The member that somebody is here, if any. */
    match: ({ email, username, name }: SourceMember): Person | null =>
      byEmail.get(email) ?? byUserName.get(username) ?? byName.get(name),
    /** The member who has connected that account of GitHub's. */
    byLogin: (login: string): Person | null => byLogin.get(login),
  };
}

/** Who goes by a name; nobody, when it is more than one. */
function index() {
  const people = new Map<string, Person | "several">();
  return {
    add(name: string | null | undefined, person: Person) {
      const key = name?.trim().toLowerCase();
      if (!key) return;
      const known = people.get(key) ?? person;
      people.set(key, known === "several" || known.id !== person.id ? "several" : person);
    },
    get(name: string | null | undefined): Person | null {
      const found = people.get(name?.trim().toLowerCase() ?? "");
      return found === undefined || found === "several" ? null : found;
    },
  };
}
