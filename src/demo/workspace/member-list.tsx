import { useState } from "react";
import type { Member, Role } from "@workspace-board-service/client";
import { useMembers } from "@workspace-board-service/client/react";
import { Avatar } from "../components/parts.tsx";
import { ConfirmDialog } from "../components/questions.tsx";
import { useCall } from "../components/use-call.ts";
import { boards, messageOf } from "../service.ts";

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
        {data?.map((member) => {
          const { publicId, name, email, status, rolePublicId } = member;
          const isOther = publicId !== self;
          return (
            <li key={publicId}>
              <Avatar name={name || (email ?? "?")} />
              <span className="person">
                {name || email} {!isOther && <small>you</small>}
                {status === "invited" && <span className="badge">invited</span>}
                {name !== "" && email !== null && <small className="email">{email}</small>}
              </span>
              <select
                aria-label={`Role of ${name || email}`}
                value={rolePublicId}
                disabled={!isOther || !may("member:edit")}
                onChange={({ target }) => {
                  const input = { memberPublicId: publicId, rolePublicId: target.value };
                  run(() => boards.member.updateRole({ workspacePublicId, ...input }));
                }}
              >
                {roles.map((role) => (
                  <option key={role.publicId} value={role.publicId}>
                    {role.name}
                  </option>
                ))}
              </select>
              {isOther && may("member:remove") && (
                <button
                  type="button"
                  className="icon"
                  aria-label={`Remove ${name || email}`}
                  onClick={() => setRemoved(member)}
                >
                  ✕
                </button>
              )}
            </li>
          );
        })}
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
