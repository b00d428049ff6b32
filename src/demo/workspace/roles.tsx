import { useState } from "react";
import type { Permission, Role } from "@workspace-board-service/client";
import { NameForm } from "../components/name-form.tsx";
import { useCall } from "../components/use-call.ts";
import { boards, messageOf } from "../base/service.ts";

type Props = {
  workspace: string;
  roles: readonly Role[];
  canManage: boolean;
  reload: () => void;
};

/** What each role allows. Roles of the workspace can be made, changed and deleted. */
export function Roles({ workspace: workspacePublicId, roles, canManage, reload }: Props) {
  const [open, setOpen] = useState("");
  const named = (name: string) => roles.find((role) => role.name === name);
  return (
    <>
      <ul className="roles">
        {roles.map((role) => (
          <li key={role.publicId}>
            <details
              open={open === role.name}
              onToggle={({ currentTarget }) => {
                if (currentTarget.open) setOpen(role.name);
                else if (open === role.name) setOpen("");
              }}
            >
              <summary>
                {role.name}{" "}
                <small>
                  level {role.hierarchyLevel}, {role.permissions.length} permissions
                </small>
              </summary>
              <RoleDetails
                role={role}
                workspace={workspacePublicId}
                // The role with all permissions names them.
                permissions={(named("admin")?.permissions ?? []) as Permission[]}
                fallback={named("guest")?.publicId ?? ""}
                canEdit={canManage && role.name !== "admin"}
                reload={reload}
              />
            </details>
          </li>
        ))}
      </ul>
      {canManage && (
        <NameForm
          label="New role"
          button="Create"
          onSubmit={async (name) => {
            const base = named("guest")?.permissions ?? [];
            const input = { name, hierarchyLevel: 20, permissions: base as Permission[] };
            await boards.role.create({ workspacePublicId, ...input });
            setOpen(name);
            reload();
          }}
        />
      )}
    </>
  );
}

type Details = {
  workspace: string;
  role: Role;
  permissions: readonly Permission[];
  /** The role that the members of a deleted role get. */
  fallback: string;
  canEdit: boolean;
  reload: () => void;
};

function RoleDetails({ workspace, role, permissions, fallback, canEdit, reload }: Details) {
  const { error, isBusy, run } = useCall();
  const input = { workspacePublicId: workspace, rolePublicId: role.publicId };
  return (
    <>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      <fieldset className="permissions" disabled={!canEdit || isBusy}>
        <legend>Permissions of {role.name}</legend>
        {permissions.map((permission) => (
          <label key={permission} className="check">
            <input
              type="checkbox"
              checked={role.permissions.includes(permission)}
              onChange={({ target: { checked } }) => {
                const { grant, revoke } = boards.role;
                run(() => (checked ? grant : revoke)({ ...input, permission }), reload);
              }}
            />
            {permission}
          </label>
        ))}
      </fieldset>
      {canEdit && !role.isSystem && (
        <button
          type="button"
          className="danger"
          onClick={() =>
            run(() => boards.role.delete({ ...input, moveMembersTo: fallback }), reload)
          }
        >
          Delete the role
        </button>
      )}
    </>
  );
}
