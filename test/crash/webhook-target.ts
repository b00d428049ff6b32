import {
  startReceiver,
  type Behaviour,
  type Delivery,
  type Receiver,
} from "../support/receiver.ts";

/** A target that fails now and then, and what it has seen. */
export type FlakyTarget = Receiver & {
  /** What it said 2xx to, by path and webhook-id, and how often. */
  accepted: Map<string, number>;
  /** How often it behaved in each way. */
  ways: Record<string, number>;
};

const ways: [part: number, name: string, behaviour: Behaviour][] = [
  [0.1, "500", { status: 500 }],
  [0.05, "reset", { how: "reset" }],
  [0.03, "redirect", { status: 302, headers: { location: "/elsewhere" } }],
  [0.05, "slow", { delayMs: 300 }],
];

/** Starts a target: of 100 deliveries 10 are answered with 500, 5 reset, 3 redirected, and 5 are answered late. */
export async function startFlakyTarget(): Promise<FlakyTarget> {
  const receiver = await startReceiver();
  const accepted = new Map<string, number>();
  const counts: Record<string, number> = {};
  receiver.answer(({ path, id }: Delivery) => {
    let rest = Math.random();
    const [, name, behaviour] = ways.find(([part]) => (rest -= part) < 0) ?? [0, "good", {}];
    counts[name] = (counts[name] ?? 0) + 1;
    if (name === "good" || name === "slow") {
      const key = `${path} ${id}`;
      accepted.set(key, (accepted.get(key) ?? 0) + 1);
    }
    return behaviour;
  });
  return { ...receiver, accepted, ways: counts };
}
