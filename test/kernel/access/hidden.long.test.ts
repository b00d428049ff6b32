import { testHidden } from "./hidden.ts";

testHidden();
