import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Scene } from "./loads.ts";
import type { Order, Outcome } from "./run-loads.ts";

const starter = fileURLToPath(new URL("../../support/run-typescript.mjs", import.meta.url));
const program = fileURLToPath(new URL("run-loads.ts", import.meta.url));

/** A process that makes expensive calls. */
export type LoadProcess = {
  /** Begins a load; the function that it returns ends it, and returns the statuses it got. */
  begin(name: string, scene: Scene): () => Promise<Map<number, number>>;
  stop(): Promise<void>;
};

/** Starts a process for loads: in the measuring one, others would wait for the load's work. */
export async function startLoads(): Promise<LoadProcess> {
  const child = spawn(process.execPath, [starter, program], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const exited = once(child, "exit");
  const next = async () => {
    const lost = exited.then(() => Promise.reject(new Error("The process of the loads ended.")));
    const [message] = await Promise.race([once(child, "message"), lost]);
    return message;
  };
  const send = (order: Order) => void child.send(order);
  await next();
  return {
    begin(name, { account, ...scene }) {
      const { token, workspace, board, lists, card } = account;
      const answered: Promise<Outcome> = next();
      answered.catch(() => undefined);
      const sent = { ...scene, account: { token, workspace, board, lists, card } };
      send({ begin: name, scene: sent });
      return async () => {
        send({ end: true });
        const outcome = await answered;
        if ("error" in outcome) throw new Error(outcome.error);
        return new Map(outcome.statuses);
      };
    },
    async stop() {
      child.kill();
      await exited;
    },
  };
}
