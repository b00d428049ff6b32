import { writeFileSync } from "node:fs";
import { failureCodesPage } from "./failure-codes-page.ts";

// npm run document: writes the page on the codes of failures to the file that the argument names.
const [, , file = ""] = process.argv;
writeFileSync(file, failureCodesPage());
