import { hydrateRoot } from "react-dom/client";
import { createClient } from "../../../src/client/index.ts";
import { createStore } from "../../../src/client/store/index.ts";
import { page } from "./page.ts";

declare const given: { token: string; state: Parameters<typeof page>[1] };
declare const document: { querySelector(selector: string): Parameters<typeof hydrateRoot>[0] };
declare const location: { origin: string };

const client = createClient({ url: location.origin, auth: { token: given.token } });
const store = createStore(client, { outbox: "indexeddb" });
hydrateRoot(document.querySelector("#root"), page(store, given.state));
