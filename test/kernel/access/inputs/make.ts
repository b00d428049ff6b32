import type { Input } from "../call.ts";
import type { Who } from "../targets.ts";
import type { World } from "../world.ts";

/**
 * An input that is accepted; `token` when the call must come from a session that it may end, `undo`
 * when it takes away what others need.
 */
export type Target = { input: Input; token?: string; undo?: () => Promise<unknown> };

/** Makes a valid input for a caller. */
export type Make = (world: World, who: Who | undefined) => Target | Promise<Target>;

/** An input that needs nothing else. */
export const given = (input: Input): Target => ({ input });

type More = (world: World, who: Who | undefined) => Input | Promise<Input>;
const nothing = () => ({});

/** The input of an operation on the fixtures' workspace. */
export const onWorkspace =
  (more: More = nothing): Make =>
  async (world, who) =>
    given({ workspacePublicId: world.fixtures.ids.workspace, ...(await more(world, who)) });

/** The input of an operation on the fixtures' board. */
export const onBoard =
  (more: More = nothing): Make =>
  async (world, who) =>
    given({ boardPublicId: world.fixtures.ids.board, ...(await more(world, who)) });

/** The input of an operation on something that is made for it. */
export const on =
  (more: More): Make =>
  async (world, who) =>
    given(await more(world, who));
