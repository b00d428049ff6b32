import { paginate } from "@workspace-board-service/client";
import type { BoardStore, BoardView } from "@workspace-board-service/client/store";
import { allOf } from "./all-of.ts";
import { boards } from "./client.ts";
import { useQuery } from "./use-query.ts";
import type { CardSummary } from "./types.ts";

type Props = { board: BoardView; card: CardSummary; cards: BoardStore["cards"] };

/** The members of the workspace; those of the card are checked. */
export function CardPeople({ board: { workspacePublicId }, card, cards }: Props) {
  const { data } = useQuery(`members ${workspacePublicId}`, (signal) =>
    allOf(
      paginate((page) => boards.member.list(page, { signal }), {
        workspacePublicId,
        status: "active" as const,
        limit: 100,
      }),
    ),
  );
  const assigned = new Set(card.members.map(({ publicId }) => publicId));
  return (
    <fieldset className="choices">
      <legend>Members</legend>
      {(data ?? card.members).map(({ publicId, name, image }) => (
        <label key={publicId}>
          <input
            type="checkbox"
            checked={assigned.has(publicId)}
            onChange={({ target: { checked } }) => {
              if (checked) void cards.addMember(card.publicId, { publicId, name, image });
              else void cards.removeMember(card.publicId, publicId);
            }}
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
