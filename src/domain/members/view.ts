import { z } from "zod";
import type { Member as MemberRow } from "../../platform/db/rows.ts";
import { iso, isoOrNull, Timestamp } from "../../contract/fields.ts";
import { isNobodys, nobody } from "../users/deleted-account.ts";

/** A member by name. */
export const MemberRef = z
  .object({ publicId: z.string(), name: z.string(), image: z.string().nullable() })
  .meta({ id: "MemberRef" });

/** A member; `email` is null for those who may not see addresses. */
export const Member = MemberRef.extend({
  email: z.string().nullable(),
  role: z.string(),
  rolePublicId: z.string(),
  status: z.enum(["invited", "active", "removed"]),
  version: z.int(),
  createdAt: Timestamp,
  joinedAt: Timestamp.nullable(),
}).meta({ id: "Member" });

/** What a member shows of the rows that it is made of. */
export type MemberView = Pick<
  MemberRow,
  "publicId" | "email" | "status" | "version" | "createdAt" | "joinedAt"
> & {
  user: { name: string; image: string | null } | null;
  role: { name: string; publicId: string };
};

/** Shows a member; one without an account goes by the part of the address before the `@`, unless the account was deleted. */
export const viewMember = (member: MemberView, showEmail: boolean): z.infer<typeof Member> => ({
  publicId: member.publicId,
  name: member.user?.name ?? nameFrom(member.email),
  image: member.user?.image ?? null,
  email: showEmail && !isNobodys(member.email) ? member.email : null,
  role: member.role.name,
  rolePublicId: member.role.publicId,
  status: member.status,
  version: member.version,
  createdAt: iso(member.createdAt),
  joinedAt: isoOrNull(member.joinedAt),
});

const nameFrom = (email: string) => (isNobodys(email) ? nobody : email.split("@")[0] || "member");
