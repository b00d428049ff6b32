import { testGrid } from "./matrix.ts";
import { operationsOf } from "./groups.ts";

testGrid(operationsOf("card"));
