import { useState } from "react";
import type { Member, Role } from "@workspace-board-service/client";
import { useMembers } from "@workspace-board-service/client/react";
import { Avatar } from "../components/avatar.tsx";
import { Select } from "../components/choice-menu.tsx";
import { ConfirmDialog } from "../components/questions.tsx";
import { useCall } from "../components/use-call.ts";
import { boards, messageOf } from "../base/service.ts";

type Props = {
  workspace: string;
  roles: readonly Role[];
  /** The user's own membership. */
  self: string | undefined;
  may: (permission: string) => boolean;
};

/** The members of a workspace with their roles. */
export function MemberList({ workspace, roles, self, may }: Props) {
  const { data, error: unread } = useMembers(workspace);
  const { error = unread, run } = useCall();
  const [removed, setRemoved] = useState<Member>();
  const workspacePublicId = workspace;
  return (
    <>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      <ul className="rows">
        {data?.map((member) => (
          <MemberRow
            key={member.publicId}
            member={member}
            roles={roles}
            isSelf={member.publicId === self}
            may={may}
            onRole={(rolePublicId) => {
              const input = { memberPublicId: member.publicId, rolePublicId };
              run(() => boards.member.updateRole({ workspacePublicId, ...input }));
            }}
            onRemove={() => setRemoved(member)}
          />
        ))}
      </ul>
      {removed !== undefined && (
        <ConfirmDialog
          title="Remove the member?"
          text={`${removed.name || removed.email} can no longer see this workspace.`}
          button="Remove"
          onConfirm={() =>
            boards.member.remove({ workspacePublicId, memberPublicId: removed.publicId })
          }
          onClose={() => setRemoved(undefined)}
        />
      )}
    </>
  );
}

type Row = Pick<Props, "roles" | "may"> & {
  member: Member;
  isSelf: boolean;
  onRole: (rolePublicId: string) => void;
  onRemove: () => void;
};

function MemberRow({ member, roles, isSelf, may, onRole, onRemove }: Row) {
  const { email, status, rolePublicId } = member;
  const name = member.name || (email ?? "?");
  return (
    <li>
      <Avatar person={{ publicId: member.publicId, name }} />
      <span className="person">
        {name} {isSelf && <small>you</small>}
        {status === "invited" && <span className="badge">invited</span>}
        {member.isService && <span className="badge">service account</span>}
        {email !== null && email !== name && <small className="email">{email}</small>}
      </span>
      <Select
        label={`Role of ${name}`}
        choices={roles.map((role) => [role.publicId, role.name])}
        value={rolePublicId}
        isDisabled={isSelf || !may("member:edit")}
        onChange={onRole}
      />
      {!isSelf && may("member:remove") && (
        <button type="button" className="icon" aria-label={`Remove ${name}`} onClick={onRemove}>
          ✕
        </button>
      )}
    </li>
  );
}
