import { oneApiOf } from "./access/call.ts";
import { useWorld } from "./access/world.ts";
import { announces } from "./observers/events.ts";
import { keepsParts } from "./observers/kept.ts";
import { locksInOrder } from "./observers/locks.ts";
import { storesFollow } from "./observers/stores.ts";
import { storesWords } from "./observers/words.ts";
import { movesTimes } from "./observers/times.ts";
import { wakes } from "./observers/wakes.ts";
import { walk } from "./observers/walk.ts";
import { knowsWatchers } from "./observers/watchers.ts";
import { knowsWebhooks } from "./observers/webhooks.ts";

const world = useWorld();

// Over one API. walk.long.test.ts calls over both, with more observers.
walk(world, oneApiOf, [
  locksInOrder(),
  announces(world),
  wakes(world),
  keepsParts(world),
  knowsWatchers(world),
  knowsWebhooks(world),
  storesFollow(world),
  storesWords(world),
  movesTimes(world),
]);
