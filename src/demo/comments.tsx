import type { BoardStore, CardDetail } from "@workspace-board-service/client/store";
import { NameForm } from "./name-form.tsx";
import { Avatar } from "./parts.tsx";

type Props = { card: CardDetail; comments: BoardStore["comments"] };

/** The comments on a card. */
export function Comments({ card, comments }: Props) {
  return (
    <section aria-label="Comments">
      <h3>Comments</h3>
      <ul className="comments">
        {card.comments.map(({ publicId, authorName, comment, createdAt }) => (
          <li key={publicId}>
            <Avatar name={authorName} />
            <div>
              <strong>{authorName}</strong>{" "}
              <time dateTime={createdAt}>{new Date(createdAt).toLocaleString()}</time>
              <p>{comment}</p>
            </div>
          </li>
        ))}
      </ul>
      <NameForm
        label="New comment"
        button="Comment"
        onSubmit={(text) => void comments.create(card.publicId, text)}
      />
    </section>
  );
}
