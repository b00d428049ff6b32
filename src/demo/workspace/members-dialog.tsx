import { Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import type { Role } from "@workspace-board-service/client";
import { Modal } from "../components/modal.tsx";
import { messageOf, boards } from "../base/service.ts";
import { Invitations } from "./invitations.tsx";
import { MemberList } from "./member-list.tsx";
import { Roles } from "./roles.tsx";
import { useWorkspace } from "../base/use-workspace.ts";
import { useQuery } from "../base/use-query.ts";

/** The roles of a workspace, from the one with all permissions downwards. */
function useRoles(workspacePublicId: string) {
  const { data, error, reload } = useQuery(`roles ${workspacePublicId}`, (signal) =>
    boards.role.list({ workspacePublicId }, { signal }),
  );
  const roles: readonly Role[] = data ?? [];
  return { roles, error, reload };
}

type Props = { workspace: string; onClose: () => void };

/** Who belongs to a workspace, who is invited, and what the roles allow. */
export function MembersDialog({ workspace, onClose }: Props) {
  const { memberPublicId, may } = useWorkspace(workspace);
  const { roles, error, reload } = useRoles(workspace);
  return (
    <Modal title="Members and roles" size="wide" onClose={onClose}>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      <Tabs className="tabs">
        <TabList aria-label="Members and roles">
          <Tab id="members">Members</Tab>
          {may("member:invite") && <Tab id="invitations">Invite</Tab>}
          <Tab id="roles">Roles</Tab>
        </TabList>
        <TabPanel id="members">
          <MemberList workspace={workspace} roles={roles} self={memberPublicId} may={may} />
        </TabPanel>
        <TabPanel id="invitations">
          <Invitations workspace={workspace} roles={roles} />
        </TabPanel>
        <TabPanel id="roles">
          <Roles
            workspace={workspace}
            roles={roles}
            canManage={may("workspace:manage")}
            reload={reload}
          />
        </TabPanel>
      </Tabs>
    </Modal>
  );
}
