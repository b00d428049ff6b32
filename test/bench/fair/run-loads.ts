import { openClient } from "./client.ts";
import { loads, type Scene } from "./loads.ts";

/** A scene as another process gets it: it opens its own client for the account. */
export type SentScene = Omit<Scene, "account"> & { account: Omit<Scene["account"], "client"> };

/** What the measuring process asks for: to begin a load, or to end the one that runs. */
export type Order = { begin: string; scene: SentScene } | { end: true };

/** The statuses that a load got, and how many of each; or why it has failed. */
export type Outcome = { statuses: [number, number][] } | { error: string };

// The program of the process that makes the expensive calls.
let ending = new AbortController();
process.on("message", (order: Order) => {
  if ("end" in order) return ending.abort();
  ending = new AbortController();
  void run(order.begin, order.scene, ending.signal).then((outcome) => process.send?.(outcome));
});
process.on("disconnect", () => process.exit());
process.send?.("ready");

async function run(name: string, scene: SentScene, until: AbortSignal): Promise<Outcome> {
  const client = openClient(scene.origin, scene.ip, scene.account.token);
  try {
    const load = loads.find((one) => one.name === name);
    const account = { ...scene.account, client };
    const statuses = await load?.run({ ...scene, account }, until);
    return { statuses: [...(statuses ?? [])] };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  } finally {
    await client.close();
  }
}
