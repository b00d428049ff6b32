import { useState } from "react";
import type { Role } from "@workspace-board-service/client";
import { textOf } from "../components/text-of.ts";
import { useCall } from "../components/use-call.ts";
import { hrefOf } from "../base/route.ts";
import { boards, messageOf } from "../base/service.ts";
import { useQuery } from "../base/use-query.ts";
import { SelectField } from "../components/choice-menu.tsx";

type Props = { workspace: string; roles: readonly Role[] };

/** Invites people by mail, or by a link. */
export function Invitations({ workspace: workspacePublicId, roles }: Props) {
  const { error, isBusy, run } = useCall();
  const [invited, setInvited] = useState("");
  return (
    <>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          const [email, rolePublicId] = [textOf(form, "email"), textOf(form, "role")];
          const invite = () => boards.member.invite({ workspacePublicId, email, rolePublicId });
          run(invite, () => {
            form.reset();
            setInvited(email);
          });
        }}
      >
        <label>
          Email
          <input name="email" type="email" required autoComplete="off" />
        </label>
        <SelectField
          key={roles.length}
          label="Role"
          name="role"
          choices={roles.map(({ publicId, name }) => [publicId, name])}
          value={roles.find(({ name }) => name === "member")?.publicId ?? ""}
        />
        <button type="submit" className="primary" disabled={isBusy}>
          Invite
        </button>
      </form>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      <p role="status">{invited !== "" && `${invited} is invited.`}</p>
      <InviteLink workspace={workspacePublicId} />
    </>
  );
}

function InviteLink({ workspace: workspacePublicId }: { workspace: string }) {
  const { data, reload } = useQuery(`invite link ${workspacePublicId}`, (signal) =>
    boards.invite.getLink({ workspacePublicId }, { signal }),
  );
  const { error, isBusy, run } = useCall();
  const url =
    data?.isActive === true &&
    `${location.href.split("#")[0]}${hrefOf("invite", data.inviteCode ?? "")}`;
  return (
    <section aria-label="Invite link">
      <h3>Invite link</h3>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      {url === false ? (
        <p className="hint">Everyone who has the link can join as a member.</p>
      ) : (
        <input
          aria-label="Invite link"
          readOnly
          value={url}
          onFocus={(event) => event.target.select()}
        />
      )}
      <p className="buttons">
        <button
          type="button"
          disabled={isBusy}
          onClick={() => run(() => boards.invite.createLink({ workspacePublicId }), reload)}
        >
          {url === false ? "Create a link" : "Replace the link"}
        </button>
        {url !== false && (
          <button
            type="button"
            disabled={isBusy}
            onClick={() => run(() => boards.invite.deactivateLink({ workspacePublicId }), reload)}
          >
            Deactivate the link
          </button>
        )}
      </p>
    </section>
  );
}
