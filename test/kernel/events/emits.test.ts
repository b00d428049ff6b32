import { oneApiOf } from "../access/call.ts";
import { testEmits } from "./emits.ts";

// Over one API. emits.long.test.ts calls over both.
testEmits(oneApiOf);
