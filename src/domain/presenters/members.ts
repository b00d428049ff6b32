import type { Member as MemberRow } from "../../platform/db/rows.ts";
import type { z } from "zod";
import type { Member, MemberDetail } from "../../contract/resources/members.ts";
import { isDeletedAccountEmail, deletedAccountName } from "./deleted-account.ts";
import { invitedName } from "../../kernel/access/member-name.ts";
import { iso, isoOrNull } from "../../contract/vocabulary/texts.ts";

/** The columns of a member and of its user and role that answers show. */
export type MemberView = Pick<
  MemberRow,
  "publicId" | "email" | "status" | "version" | "createdAt" | "joinedAt"
> & {
  user: { name: string; image: string | null; isService: boolean } | null;
  role: { name: string; publicId: string };
};

/** Shows a member. */
export const showMember = (member: MemberView, showEmail: boolean): z.infer<typeof Member> => ({
  publicId: member.publicId,
  name: member.user?.name ?? nameFrom(member.email),
  image: member.user?.image ?? null,
  email: showEmail && isRealEmail(member) ? member.email : null,
  role: member.role.name,
  rolePublicId: member.role.publicId,
  status: member.status,
  isService: member.user?.isService ?? false,
  version: member.version,
  createdAt: iso(member.createdAt),
  joinedAt: isoOrNull(member.joinedAt),
});

/** Shows a member with the workspace. */
export const showMemberDetail = (
  member: MemberView,
  workspace: { publicId: string },
  showEmail: boolean,
): z.infer<typeof MemberDetail> => ({
  ...showMember(member, showEmail),
  workspacePublicId: workspace.publicId,
});

const isRealEmail = ({ email, user }: MemberView) =>
  user?.isService !== true && !isDeletedAccountEmail(email);

const nameFrom = (email: string) =>
  isDeletedAccountEmail(email) ? deletedAccountName : invitedName;
