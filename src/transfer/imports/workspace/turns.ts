import { unavailable } from "../../../platform/errors.ts";

/** An examination holds one item of its document in memory. */
const maxRunning = 2;
const maxWaiting = 32;

type Turn = { userId: bigint; start: () => void };
const running = new Set<bigint>();
const waiting: Turn[] = [];

/** Runs an examination: one of a user at a time, few of the process. 503 when too many wait. */
export async function inTurn<Result>(
  userId: bigint,
  examine: () => Promise<Result>,
): Promise<Result> {
  if (waiting.length >= maxWaiting)
    throw unavailable("overloaded", "Too many imports are being examined. Try again later.", {
      seconds: 10,
    });
  await new Promise<void>((start) => {
    waiting.push({ userId, start });
    startNext();
  });
  try {
    return await examine();
  } finally {
    running.delete(userId);
    startNext();
  }
}

function startNext(): void {
  if (running.size >= maxRunning) return;
  const index = waiting.findIndex(({ userId }) => !running.has(userId));
  const [turn] = index < 0 ? [] : waiting.splice(index, 1);
  if (turn === undefined) return;
  running.add(turn.userId);
  turn.start();
}
