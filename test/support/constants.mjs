import { constants } from "../../dist/platform/constants.js";

// Loaded into a built service that a test starts with other constants.
Object.assign(constants, JSON.parse(process.env.TEST_CONSTANTS ?? "{}"));
