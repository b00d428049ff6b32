import { cpuUsage } from "node:process";

const rows = Array.from({ length: 2_000 }, (_, nth) => ({ id: nth, title: `Card ${nth}` }));
const text = JSON.stringify(rows);

/** The CPU time of `work` on the machine that the limits of CPU time are set for, in ms. */
const usual = 13;

function work(): number {
  const { user, system } = cpuUsage();
  for (let nth = 0; nth < 20; nth++) JSON.stringify(JSON.parse(text));
  const spent = cpuUsage({ user, system });
  return (spent.user + spent.system) / 1_000;
}

/**
 * A limit of CPU time on this machine, as it runs now, in ms: a slower one takes longer for
 * the same work.
 */
export function atThisPace(limitMs: number): number {
  const times = Array.from({ length: 7 }, work).toSorted((one, other) => one - other);
  return limitMs * Math.max(1, (times[3] ?? usual) / usual);
}
