import { z } from "zod";

/** What a page sends that a sign-in has returned to. */
export const ReturnedInput = z.strictObject({
  result: z
    .string()
    .min(1)
    .max(200)
    .meta({
      description: "The parameter `result` that the browser came back with.",
      examples: ["the-result-of-the-callback"],
    }),
  secret: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: "The secret of `signIn.start`.", examples: ["the-secret-of-the-page"] }),
});
