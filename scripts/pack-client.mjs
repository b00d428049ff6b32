// A step of the build: assembles the package of the client in dist/client-package, and packs it as
// dist/client.tgz, which the service serves.
import { dirname, join } from "node:path";
import { execSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

const target = "dist/client-package";
rmSync(target, { recursive: true, force: true });
const code = { recursive: true, filter: (path) => !path.endsWith(".map") };
cpSync("dist/client", `${target}/client`, code);
// What the client imports of the service, such as its filter. Its types are inside only.
for (const file of importedFrom("dist/client")) {
  cpSync(file, file.replace("dist", target));
}
// The package has no source maps: a tool would report that they are missing.
const files = readdirSync(target, { recursive: true, encoding: "utf8" });
for (const file of files.filter((one) => one.endsWith(".js"))) {
  const text = readFileSync(`${target}/${file}`, "utf8");
  writeFileSync(`${target}/${file}`, text.replace(/\n\/\/# sourceMappingURL=.*\n?$/, "\n"));
}
for (const file of ["src/client/package.json", "src/client/README.md", "LICENSE"]) {
  cpSync(file, `${target}/${file.split("/").at(-1)}`);
}
// The types of the document replace those of the server's sources.
cpSync("dist/client.d.ts", `${target}/client/service.d.ts`);

const packed = execSync(`npm pack --silent ./${target}`, { encoding: "utf8" });
renameSync(packed.trim(), "dist/client.tgz");

/** The modules beside a folder that its modules import, and those that these import. */
function importedFrom(folder) {
  const own = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const waiting = own.filter((file) => file.endsWith(".js")).map((file) => join(folder, file));
  const found = new Set();
  for (const module of waiting) {
    const text = readFileSync(module, "utf8");
    for (const [, path] of text.matchAll(/\bfrom "(\.[^"]+\.js)"/g)) {
      const file = join(dirname(module), path);
      if (file.startsWith(`${folder}/`) || found.has(file)) continue;
      found.add(file);
      waiting.push(file);
    }
  }
  return found;
}
