import { z } from "zod";

const minute = 60_000;

/** How long a claim holds a card. */
export const leaseField = {
  minutes: z
    .int()
    .min(1)
    .max(24 * 60)
    .default(15)
    .meta({ description: "How long the claim holds the card from now, in minutes." }),
};

/** When a claim that begins now expires. */
export const leaseEnd = (minutes: number, now: Date): Date =>
  new Date(now.getTime() + minutes * minute);
