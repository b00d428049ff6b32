import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { access, mkdir, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

/** A tool that this machine lacks and that no registry delivers to it. */
export class MissingTool extends Error {}

export const here = import.meta.dirname;
export const project = resolve(here, "../..");

/** A file of a generator that the examples show. */
export const configuration = (file: string) => join(project, "examples/clients", file);

/** Runs a program. The error has what it printed. */
export async function run(cwd: string, program: string, ...args: string[]): Promise<string> {
  const options = { cwd, maxBuffer: 64 * 1024 * 1024, timeout: 60 * 60_000 };
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, options);
    return stdout + stderr;
  } catch (error) {
    const output = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
    throw new Error(`${String(error)}\n${output}`.slice(0, 8_000), { cause: error });
  }
}

/** Runs a program that installs a tool. */
const install = (...command: Parameters<typeof run>) =>
  run(...command).catch((error: unknown) => {
    throw new MissingTool(String(error).split("\n")[0]);
  });

/** Rejects unless programs are installed. */
export async function need(...programs: string[]): Promise<void> {
  const folders = (process.env["PATH"] ?? "").split(":");
  for (const program of programs) {
    if (folders.some((folder) => existsSync(join(folder, program)))) continue;
    throw new MissingTool(`${program} is not installed`);
  }
}

/** Rejects unless a library of the system is installed, which a command loads. */
export async function needLibrary(cwd: string, library: string, ...command: [string, ...string[]]) {
  await run(cwd, ...command).catch(() => {
    throw new MissingTool(`${library} is not installed`);
  });
}

/** The folder of a tool, which is installed once. Its programs have its path in their text. */
async function cached(name: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const ofProject = createHash("sha256").update(project).digest("hex").slice(0, 8);
  const folder = join(project, "node_modules/.cache/generators", ofProject, name);
  const isMade = await access(folder).then(
    () => true,
    () => false,
  );
  if (isMade) return folder;
  await mkdir(folder, { recursive: true });
  try {
    await make(folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return folder;
}

/** A virtual environment of Python with packages; returns the folder of its programs. */
export async function pythonWith(...packages: string[]): Promise<string> {
  await need("python3");
  const name = packages.join("_").replace(/[^\w.-]+/g, "-");
  const folder = await cached(name, async (made) => {
    await install(made, "python3", "-m", "venv", ".");
    await install(made, join(made, "bin/pip"), "install", "--quiet", ...packages);
  });
  return join(folder, "bin");
}

/** The path of a program of an npm package. */
export async function npmProgram(packageName: string, program: string): Promise<string> {
  const folder = await cached(packageName.replace(/[^\w.-]+/g, "-"), (made) =>
    install(made, "npm", "install", "--no-save", "--omit=optional", "--prefix", made, packageName),
  );
  return join(folder, "node_modules/.bin", program);
}

/** The file of a Maven artifact: `group:artifact:version`. */
export async function jar(artifact: string): Promise<string> {
  await need("java", "mvn");
  const [group = "", name = "", version = ""] = artifact.split(":");
  const folder = join(homedir(), ".m2/repository", ...group.split("."), name, version);
  const file = join(folder, `${name}-${version}.jar`);
  if (!existsSync(file)) {
    const options = [`-Dartifact=${artifact}`, "-Dtransitive=false"];
    await install(project, "mvn", "-q", "-B", "dependency:get", ...options);
  }
  return file;
}

/** The class path of the dependencies of a `pom.xml`. */
export async function classPath(cwd: string, pom: string): Promise<string> {
  const file = join(cwd, "class-path.txt");
  const options = [`-Dmdep.outputFile=${file}`, "-f", pom];
  await install(cwd, "mvn", "-q", "-B", "dependency:build-classpath", ...options);
  return run(cwd, "cat", file);
}

/** Compiles TypeScript files and what they import, strictly. */
export async function compileTypeScript(cwd: string, file: string): Promise<void> {
  const compiler = join(project, "node_modules/@typescript/native-preview/bin/tsgo");
  const options = "--noEmit --strict --target es2023 --module esnext --lib esnext,dom,dom.iterable";
  const types = ["--types", "node", "--typeRoots", join(project, "node_modules/@types")];
  const resolution = ["--moduleResolution", "bundler", ...types];
  await run(cwd, process.execPath, compiler, ...options.split(" "), ...resolution, file);
}
