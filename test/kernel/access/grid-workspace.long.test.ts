import { testGrid } from "./grid.ts";
import { operationsOf } from "./groups.ts";

testGrid(operationsOf("workspace"));
