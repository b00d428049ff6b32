import { useState } from "react";
import type { User } from "@workspace-board-service/client";
import { boards, messageOf } from "../base/service.ts";
import { useUser } from "../base/use-user.ts";
import { Avatar } from "../components/avatar.tsx";
import { Modal } from "../components/modal.tsx";
import { SecondFactors } from "./second-factors.tsx";
import { textOf } from "../components/text-of.ts";
import { useCall } from "../components/use-call.ts";

/** The user's name, picture, time zone and password. */
export function ProfileDialog({ onClose }: { onClose: () => void }) {
  const { user, reload } = useUser();
  const [isSaved, setIsSaved] = useState(false);
  return (
    <Modal title="Profile" onClose={onClose}>
      {user !== undefined && (
        <ProfileForm
          key={user.version}
          user={user}
          isSaved={isSaved}
          onSaved={(next) => {
            setIsSaved(next);
            if (next) void reload();
          }}
        />
      )}
      <PasswordForm />
      <SecondFactors />
    </Modal>
  );
}

type Form = { user: User; isSaved: boolean; onSaved: (isSaved: boolean) => void };

function ProfileForm({ user, isSaved, onSaved }: Form) {
  const { error, isBusy, run } = useCall();
  return (
    <form
      className="stack"
      onChange={() => onSaved(false)}
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const input = {
          name: textOf(form, "name").trim(),
          image: textOf(form, "image").trim() || null,
          timeZone: textOf(form, "timeZone").trim() || null,
        };
        run(
          () => boards.user.update(input),
          () => onSaved(true),
        );
      }}
    >
      <p className="profile">
        <Avatar person={user} />
        <span>
          {user.name} <small>{user.email}</small>
        </span>
      </p>
      <label>
        Name
        <input name="name" defaultValue={user.name} required autoComplete="name" />
      </label>
      <label>
        Picture
        <input
          name="image"
          type="url"
          pattern="[hH][tT][tT][pP][sS]://.+"
          placeholder="https://…"
          defaultValue={user.image ?? ""}
          aria-describedby="picture-hint"
        />
      </label>
      <p id="picture-hint" className="hint">
        The address of a picture for applications that show it. This page loads nothing from other
        sites: it shows your initials.
      </p>
      <label>
        Time zone
        <input name="timeZone" placeholder="Europe/Berlin" defaultValue={user.timeZone ?? ""} />
      </label>
      {error !== undefined && <p role="alert">{messageOf(error)}</p>}
      <p className="buttons">
        <button type="submit" className="primary" disabled={isBusy}>
          Save
        </button>
        <span role="status">{isSaved && "Saved."}</span>
      </p>
    </form>
  );
}

function PasswordForm() {
  const { error, isBusy, run } = useCall();
  const [isSaved, setIsSaved] = useState(false);
  return (
    <details>
      <summary>Change the password</summary>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          const input = {
            currentPassword: textOf(form, "current"),
            newPassword: textOf(form, "new"),
          };
          run(
            () => boards.auth.changePassword(input),
            () => {
              form.reset();
              setIsSaved(true);
            },
          );
        }}
      >
        <label>
          Current password
          <input name="current" type="password" required autoComplete="current-password" />
        </label>
        <label>
          New password
          <input name="new" type="password" required minLength={8} autoComplete="new-password" />
        </label>
        {error !== undefined && <p role="alert">{messageOf(error)}</p>}
        <p className="buttons">
          <button type="submit" disabled={isBusy}>
            Change the password
          </button>
          <span role="status">{isSaved && "Changed. Other sessions have ended."}</span>
        </p>
      </form>
    </details>
  );
}
