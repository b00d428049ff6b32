import type { BoardStore, BoardView } from "@workspace-board-service/client/store";
import type { CardSummary } from "../base/types.ts";
import { useMembers } from "../base/use-workspace.ts";

type Props = { board: BoardView; card: CardSummary; cards: BoardStore["cards"] };

/** The members of the workspace; those of the card are checked. */
export function CardPeople({ board: { workspacePublicId }, card, cards }: Props) {
  const members = useMembers(workspacePublicId);
  const assigned = new Set(card.members.map(({ publicId }) => publicId));
  return (
    <fieldset className="choices">
      <legend>Members</legend>
      {(members ?? card.members).map(({ publicId, name, image }) => (
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
