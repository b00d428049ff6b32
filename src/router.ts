import { lists } from "./lists/router.ts";
import { router } from "./trpc.ts";

/** Every operation, by its name. */
export const appRouter = router({ list: lists });

/** The type that a TypeScript client is made with. */
export type AppRouter = typeof appRouter;
