// A step of the build: assembles the package of the client in dist/client-package, and packs it as
// dist/client.tgz, which the service serves.
import { execSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

const target = "dist/client-package";
rmSync(target, { recursive: true, force: true });
cpSync("dist/client", target, { recursive: true, filter: (path) => !path.endsWith(".map") });
// The package has no source maps: a tool would report that they are missing.
const files = readdirSync(target, { recursive: true, encoding: "utf8" });
for (const file of files.filter((one) => one.endsWith(".js"))) {
  const code = readFileSync(`${target}/${file}`, "utf8");
  writeFileSync(`${target}/${file}`, code.replace(/\n\/\/# sourceMappingURL=.*\n?$/, "\n"));
}
for (const file of ["src/client/package.json", "src/client/README.md", "LICENSE"]) {
  cpSync(file, `${target}/${file.split("/").at(-1)}`);
}
// The types of the document replace those of the server's sources.
cpSync("dist/client.d.ts", `${target}/service.d.ts`);

const packed = execSync(`npm pack --silent ./${target}`, { encoding: "utf8" });
renameSync(packed.trim(), "dist/client.tgz");
