import {
  useBoard,
  useBoards,
  useCard,
  useConnection,
  useMutationStatus,
  useSession,
  useWorkspaces,
} from "@workspace-board-service/client/react";
import { useState, type FormEvent } from "react";

/** The text of a field of a form that is sent. */
function textOf(event: FormEvent<HTMLFormElement>, name: string): string {
  event.preventDefault();
  return String(new FormData(event.currentTarget).get(name));
}

/** The sign-in, or the page that the address names: `#board` or `#board/card`. */
export function App() {
  const { status, user, signOut } = useSession();
  const [path, setPath] = useState(location.hash.slice(1));
  window.onhashchange = () => setPath(location.hash.slice(1));
  if (status === "loading") return <p>Loading…</p>;
  if (status === "signed-out") return <SignIn />;
  const [board, card] = path.split("/");
  return (
    <main>
      <header>
        <a href="#">Boards</a> {user.name} <Status />
        <button onClick={() => void signOut()}>Sign out</button>
      </header>
      {board ? <Board key={board} id={board} /> : <Home />}
      {board && card && <Card key={card} id={card} board={board} />}
    </main>
  );
}

function SignIn() {
  const { signIn } = useSession();
  const [error, setError] = useState("");
  return (
    <form
      onSubmit={(event) => {
        const input = { email: textOf(event, "email"), password: textOf(event, "password") };
        signIn(input).catch((failure: Error) => setError(failure.message));
      }}
    >
      <input name="email" aria-label="Email" />
      <input name="password" type="password" aria-label="Password" />
      <button>Sign in</button>
      {error !== "" && <p role="alert">{error}</p>}
    </form>
  );
}

function Status() {
  const { pending, failed } = useMutationStatus();
  return (
    <span role="status">
      {useConnection()}, {pending} unsent, {failed.length} failed
    </span>
  );
}

function Home() {
  const { status, data = [] } = useWorkspaces();
  if (status !== "ready") return <p>Workspaces: {status}</p>;
  return data.map(({ workspace: { publicId, name } }) => (
    <section key={publicId}>
      <h1>{name}</h1>
      <Boards id={publicId} />
    </section>
  ));
}

function Boards({ id }: { id: string }) {
  const { status, boards } = useBoards(id);
  if (status !== "ready") return <p>Boards: {status}</p>;
  return boards.map(({ publicId, name }) => (
    <p key={publicId}>
      <a href={`#${publicId}`}>{name}</a>
    </p>
  ));
}

function Board({ id }: { id: string }) {
  const { status, board, error, cards } = useBoard(id);
  if (board === undefined) return <p>Board: {error?.message ?? status}</p>;
  return (
    <>
      <h1>{board.name}</h1>
      {board.lists.map((list) => (
        <section key={list.publicId} aria-label={list.name}>
          <h2>{list.name}</h2>
          {list.cards.map((card) => (
            <p key={card.publicId}>
              <a href={`#${id}/${card.publicId}`}>{card.title}</a>
            </p>
          ))}
          <form
            onSubmit={(event) => {
              const { publicId } = cards.create({
                list: list.publicId,
                title: textOf(event, "title"),
              });
              location.hash = `${id}/${publicId}`;
            }}
          >
            <input name="title" aria-label={`New card in ${list.name}`} />
          </form>
        </section>
      ))}
    </>
  );
}

function Card({ id, board }: { id: string; board: string }) {
  const { status, card, error } = useCard(id);
  const { cards, comments } = useBoard(board);
  if (card === undefined) return <p>Card: {error?.message ?? status}</p>;
  return (
    <dialog open aria-label={card.title}>
      <input
        aria-label="Title"
        defaultValue={card.title}
        onBlur={(event) => cards.update(id, { title: event.target.value })}
      />
      <p>{card.description}</p>
      {card.comments.map(({ publicId, authorName, comment }) => (
        <p key={publicId}>
          <b>{authorName}</b>: {comment}
        </p>
      ))}
      <form
        onSubmit={(event) => {
          comments.create(id, textOf(event, "comment"));
          event.currentTarget.reset();
        }}
      >
        <input name="comment" aria-label="Comment" />
      </form>
    </dialog>
  );
}
