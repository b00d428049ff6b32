import { testViews } from "./views.ts";

testViews((readers) => readers, 2);
