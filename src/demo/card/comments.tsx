import { useState } from "react";
import type {
  BoardStore,
  BoardView,
  CardDetail,
  Comment,
} from "@workspace-board-service/client/store";
import { ActionMenu } from "../components/action-menu.tsx";
import { Markdown } from "../components/markdown.tsx";
import { Avatar } from "../components/avatar.tsx";
import { Boundary } from "../components/boundary.tsx";
import { When } from "../components/parts.tsx";
import { ConfirmDialog } from "../components/questions.tsx";
import { useWorkspace } from "../base/use-workspace.ts";
import { textOf } from "../components/text-of.ts";

type CommentFormProps = {
  label: string;
  button: string;
  value?: string;
  onSubmit: (text: string) => void;
  onCancel?: () => void;
};

/** Writes a comment. Enter sends it, Shift and Enter begin a line. */
function CommentForm({ label, button, value, onSubmit, onCancel }: CommentFormProps) {
  return (
    <form
      className="comment-form"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const text = textOf(form, "text").trim();
        if (text === "") return;
        form.reset();
        onSubmit(text);
      }}
    >
      <textarea
        name="text"
        aria-label={label}
        placeholder={label}
        defaultValue={value}
        autoFocus={value !== undefined}
        rows={1}
        onKeyDown={(event) => {
          // The Enter that ends a composition chooses characters.
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
      <button type="submit">{button}</button>
      {onCancel !== undefined && (
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      )}
    </form>
  );
}

type Actions = BoardStore["comments"];
type Props = { board: BoardView; card: CardDetail; comments: Actions };

/** The comments on a card. */
export function Comments({ board, card, comments }: Props) {
  const { memberPublicId, may } = useWorkspace(board.workspacePublicId);
  return (
    <section aria-label="Comments">
      <h3>Comments</h3>
      <ul className="comments">
        {card.comments.map((comment) => {
          const isOwn = comment.author?.publicId === memberPublicId;
          return (
            <li key={comment.publicId}>
              <Boundary name="This comment">
                <OneComment
                  card={card.publicId}
                  comment={comment}
                  comments={comments}
                  canEdit={isOwn || may("comment:edit")}
                  canDelete={isOwn || may("comment:delete")}
                />
              </Boundary>
            </li>
          );
        })}
      </ul>
      <CommentForm
        label="New comment"
        button="Comment"
        onSubmit={(text) => void comments.create(card.publicId, text)}
      />
    </section>
  );
}

type One = {
  card: string;
  comment: Comment;
  comments: Actions;
  canEdit: boolean;
  canDelete: boolean;
};

function OneComment({ card, comment, comments, canEdit, canDelete }: One) {
  const { publicId, author, authorName, createdAt, isEdited } = comment;
  const [shown, show] = useState<"edit" | "delete">();
  return (
    <>
      <Avatar person={{ publicId: author?.publicId ?? null, name: authorName }} />
      <div className="comment">
        <strong>{authorName}</strong> <When date={createdAt} />
        {isEdited && <small> edited</small>}
        {shown === "edit" ? (
          <CommentForm
            label="Comment"
            button="Save"
            value={comment.comment}
            onCancel={() => show(undefined)}
            onSubmit={(text) => {
              if (text !== comment.comment) void comments.update(card, publicId, text);
              show(undefined);
            }}
          />
        ) : (
          <Markdown text={comment.comment} />
        )}
      </div>
      {(canEdit || canDelete) && (
        <ActionMenu
          label={`Menu of the comment by ${authorName}`}
          actions={[
            canEdit && { name: "Edit", run: () => show("edit") },
            canDelete && { name: "Delete", isDangerous: true, run: () => show("delete") },
          ]}
        />
      )}
      {shown === "delete" && (
        <ConfirmDialog
          title="Delete the comment?"
          text="It cannot be brought back."
          button="Delete"
          onConfirm={() => void comments.delete(card, publicId)}
          onClose={() => show(undefined)}
        />
      )}
    </>
  );
}
