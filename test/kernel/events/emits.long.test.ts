import { apisOf } from "../access/call.ts";
import { testEmits } from "./emits.ts";

testEmits(apisOf);
