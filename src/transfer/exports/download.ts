import { z } from "zod";

/** The response of a download over tRPC, which has no byte streams. */
export const Download = z
  .object({
    url: z.string().meta({ description: "The URL of the file." }),
    filename: z.string().meta({ description: "The name of the file." }),
    contentType: z.string().meta({ description: "The media type of the file." }),
  })
  .meta({ id: "Download", description: "A file to download." });
