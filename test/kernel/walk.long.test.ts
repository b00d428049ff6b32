import { apisOf } from "./access/call.ts";
import { useWorld } from "./access/world.ts";
import { deliversAsCatalogued } from "./observers/deliveries.ts";
import { announces } from "./observers/events.ts";
import { keepsParts } from "./observers/kept.ts";
import { locksInOrder } from "./observers/locks.ts";
import { notifiesWatchers } from "./observers/notifies.ts";
import { callsOutsideTransactions } from "./observers/outgoing.ts";
import { storesWhatCounts } from "./observers/stored.ts";
import { wakes } from "./observers/wakes.ts";
import { walk } from "./observers/walk.ts";
import { knowsWatchers } from "./observers/watchers.ts";
import { knowsWebhooks } from "./observers/webhooks.ts";

const world = useWorld();

// The first ones see only the call, without what others do beside it.
walk(world, apisOf, [
  locksInOrder(),
  storesWhatCounts(world),
  announces(world),
  wakes(world),
  keepsParts(world),
  knowsWatchers(world),
  knowsWebhooks(world),
  callsOutsideTransactions(world),
  notifiesWatchers(world),
  deliversAsCatalogued(world),
]);
