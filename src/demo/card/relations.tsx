import { useState } from "react";
import type { BoardStore, BoardView, CardDetail } from "@workspace-board-service/client/store";
import { hrefWithin } from "../base/route.ts";
import { ChoiceMenu, Select } from "../components/choice-menu.tsx";

type Props = { board: BoardView; card: CardDetail; cards: BoardStore["cards"] };
type Relation = CardDetail["relations"][number];
type Kind = Relation["kind"];

/** What a card is to others, in the order in which it shows them. */
const titles: Readonly<Record<Kind, string>> = {
  child: "Part of",
  parent: "Parts",
  blockedBy: "Blocked by",
  blocks: "Blocks",
  relates: "Relates to",
  duplicates: "Duplicates",
  duplicatedBy: "Duplicated by",
};
const kinds = Object.keys(titles) as Kind[];

/** What a card is to others, and a form that relates it to another card of the board. */
export function Relations({ board, card, cards }: Props) {
  const shown = kinds.flatMap((kind) => {
    const related = card.relations.filter((relation) => relation.kind === kind);
    return related.length === 0 ? [] : [{ kind, related }];
  });
  return (
    <section aria-label="Relations">
      {shown.length > 0 && <h3>Relations</h3>}
      {shown.map(({ kind, related }) => (
        <div key={kind}>
          <h4>{titles[kind]}</h4>
          <ul className="relations">
            {related.map((relation) => (
              <RelatedCard
                key={relation.publicId}
                relation={relation}
                onRemove={() => void cards.unrelate(card.publicId, kind, relation.card.publicId)}
              />
            ))}
          </ul>
        </div>
      ))}
      <NewRelation
        board={board}
        card={card}
        onRelate={(kind, id) => void cards.relate(card.publicId, kind, id)}
      />
    </section>
  );
}

type RelatedProps = { relation: Relation; onRemove: () => void };

/** A link that opens the other card, which may be on another board. */
function RelatedCard({ relation: { card }, onRemove }: RelatedProps) {
  return (
    <li>
      <a
        className={card.isComplete ? "done" : ""}
        href={hrefWithin("board", card.boardPublicId, card.publicId)}
      >
        <span className="number">{card.cardNumber}</span> {card.title}
        {card.isComplete && <span className="unseen"> (complete)</span>}
      </a>
      <button
        type="button"
        className="icon"
        aria-label={`Remove the relation to ${card.cardNumber}`}
        onClick={onRemove}
      >
        ✕
      </button>
    </li>
  );
}

type NewProps = {
  board: BoardView;
  card: CardDetail;
  onRelate: (kind: Kind, cardPublicId: string) => void;
};

function NewRelation({ board, card, onRelate }: NewProps) {
  const [kind, setKind] = useState<Kind>("blockedBy");
  const related = new Set(
    card.relations.flatMap((one) => (one.kind === kind ? one.card.publicId : [])),
  );
  const choices = board.lists
    .flatMap((list) => list.cards)
    .filter(({ publicId }) => publicId !== card.publicId && !related.has(publicId))
    .map(({ publicId, cardNumber, title }) => ({ publicId, name: `${cardNumber} ${title}` }));
  return (
    <div className="new-relation">
      <Select
        label="Kind of relation"
        choices={Object.entries(titles)}
        value={kind}
        onChange={(next) => setKind(kinds.find((one) => one === next) ?? kind)}
      />
      <ChoiceMenu
        label="Relate to a card"
        choices={choices}
        chosen={[]}
        isSingle
        onChange={([id]) => id !== undefined && onRelate(kind, id)}
      >
        + Relate to a card
      </ChoiceMenu>
    </div>
  );
}
