import { useCall } from "../components/use-call.ts";
import { open } from "../base/route.ts";
import { boards, messageOf } from "../base/service.ts";
import { useQuery } from "../base/use-query.ts";

/** An invitation by link: who accepts it joins the workspace. */
export function InvitePage({ code }: { code: string }) {
  const { data, error: unread } = useQuery(`invite ${code}`, (signal) =>
    boards.invite.get({ inviteCode: code }, { signal }),
  );
  const { error = unread, isBusy, run } = useCall();
  return (
    <main className="page narrow">
      <h1>Invitation</h1>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      {data !== undefined && (
        <>
          <p>
            You are invited to <strong>{data.workspaceName}</strong> as {data.role}.
          </p>
          <button
            type="button"
            className="primary"
            disabled={isBusy}
            onClick={() =>
              run(
                () => boards.invite.accept({ inviteCode: code }),
                () => open(),
              )
            }
          >
            Join the workspace
          </button>
        </>
      )}
    </main>
  );
}
