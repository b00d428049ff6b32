import { memberName } from "../../../domain/cards/summaries.ts";
import type { Query } from "../../../platform/db/query.ts";
import { sql } from "../../../platform/db/sql.ts";

/** A member of the workspace. */
export type Person = { id: bigint; publicId: string };

/** A member at the source. */
export type SourceMember = {
  email?: string | null;
  username?: string | null;
  name?: string | null;
};

type Row = Person & { email: string; name: string; github: string | null };

const findMembers = (workspaceId: bigint) => sql`
  SELECT m.id, m."publicId", m.email, ${memberName} AS name, i.account AS github
  FROM members m LEFT JOIN users u ON u.id = m."userId"
  LEFT JOIN integrations i ON i."userId" = m."userId" AND i.provider = 'github'
  WHERE m."workspaceId" = ${workspaceId} AND m.status <> 'removed' ORDER BY m.id`;

/**
 * Matches members at a source with members of the workspace: by email address, else by user name,
 * else by full name. A user name or full name of several members matches no member.
 */
export async function matcher(query: Query, workspaceId: bigint) {
  const rows = await query<Row>(findMembers(workspaceId));
  const [byEmail, byUserName, byName, byLogin] = [index(), index(), index(), index()];
  for (const { email, name, github, ...person } of rows) {
    byEmail.add(email, person);
    byUserName.add(email.split("@")[0], person);
    byUserName.add(name, person);
    byName.add(name, person);
    byLogin.add(github, person);
  }
  return {
    /** The member here who is a member at the source. */
    match: ({ email, username, name }: SourceMember): Person | null =>
      byEmail.get(email) ?? byUserName.get(username) ?? byName.get(name),
    /** The member who has connected an account at GitHub. */
    byLogin: (login: string): Person | null => byLogin.get(login),
  };
}

/** An index of members by name; a name of several members has no entry. */
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
