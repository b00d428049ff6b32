import {
  startReceiver,
  type Behaviour,
  type Delivery,
  type Receiver,
} from "../support/receiver.ts";

/** A receiver that fails at random, with counts. */
export type FlakyReceiver = Receiver & {
  /** How often it answered 2xx, by path and webhook-id. */
  accepted: Map<string, number>;
  /** How often it showed each behaviour. */
  behaviours: Record<string, number>;
};

const behaviours: [part: number, name: string, behaviour: Behaviour][] = [
  [0.1, "500", { status: 500 }],
  [0.05, "reset", { how: "reset" }],
  [0.03, "redirect", { status: 302, headers: { location: "/elsewhere" } }],
  [0.05, "slow", { delayMs: 300 }],
];

/** Starts a receiver: of 100 deliveries 10 get 500, 5 a reset, 3 a redirect, 5 a late response. */
export async function startFlakyReceiver(): Promise<FlakyReceiver> {
  const receiver = await startReceiver();
  const accepted = new Map<string, number>();
  const counts: Record<string, number> = {};
  receiver.response(({ path, id }: Delivery) => {
    let rest = Math.random();
    const [, name, behaviour] = behaviours.find(([part]) => (rest -= part) < 0) ?? [0, "ok", {}];
    counts[name] = (counts[name] ?? 0) + 1;
    if (name === "ok" || name === "slow") {
      const key = `${path} ${id}`;
      accepted.set(key, (accepted.get(key) ?? 0) + 1);
    }
    return behaviour;
  });
  return { ...receiver, accepted, behaviours: counts };
}
