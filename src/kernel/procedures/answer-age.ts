/** After this time a claim without a response is taken over: its process was lost. */
export const claimMs = 60_000;

/** How long a stored response is replayed. */
const replayMs = 24 * 60 * 60 * 1000;

/** What is stored of a call; `answer` is null while it runs outside a transaction. */
export type Row = { requestHash: string; answer: string | null; createdAt: Date };

/** Whether what is stored of a call still counts. */
export const isCurrent = ({ answer, createdAt }: Row, now: Date) => {
  const { answered, claimed } = currentSince(now);
  return createdAt > (answer === null ? claimed : answered);
};

/** The moments after which a stored answer, and a claim without one, still count. */
export const currentSince = (now: Date) => ({
  answered: new Date(now.getTime() - replayMs),
  claimed: new Date(now.getTime() - claimMs),
});
