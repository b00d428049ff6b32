import { Due } from "../components/parts.tsx";
import { hrefOf } from "../base/route.ts";
import { boards } from "../base/service.ts";
import { useQuery } from "../base/use-query.ts";

/** The open cards that are assigned to the user, the most urgent first. */
export function MyCards() {
  const { data } = useQuery("my cards", (signal) => boards.user.cards({ limit: 8 }, { signal }));
  const open = data?.items.filter(({ isComplete }) => !isComplete) ?? [];
  if (open.length === 0) return null;
  return (
    <section aria-label="Your cards">
      <h2>Your cards</h2>
      <ul className="my-cards">
        {open.map((card) => (
          <li key={card.publicId}>
            <a href={hrefOf("card", card.publicId)}>{card.title}</a>
            <small>{card.cardNumber}</small>
            {card.dueDate !== null && <Due date={card.dueDate} isComplete={false} />}
          </li>
        ))}
      </ul>
    </section>
  );
}
