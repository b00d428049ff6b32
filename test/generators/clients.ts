import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fern } from "./fern.ts";
import * as tools from "./tools.ts";

const { here, run } = tools;

const versions = {
  pythonClient: ["openapi-python-client==0.29.1", "ruff==0.17.6", "mypy==1.19.1"],
  oapiCodegen: "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2",
  ogen: "github.com/ogen-go/ogen/cmd/ogen@v1.24.0",
  kin: "github.com/getkin/kin-openapi/openapi3@v0.152.0",
  generator: "org.openapitools:openapi-generator-cli:7.25.0",
};

/**
 * Generates and compiles a client in a folder with `openapi.json`. Returns its adapter's command.
 */
type Prepare = (cwd: string) => Promise<string[] | undefined>;

const adapter = (file: string) => join(here, "adapters", file);
const start = join(here, "../support/run-typescript.mjs");

/** Warnings of openapi-generator about itself, and about names that it replaces. */
const ownWarnings =
  /3\.1 support|reserved word|existing language type|Ignoring complex example|schema name: null/;

/** Generates with openapi-generator. A warning about the document is an error. */
async function generate(cwd: string, language: string) {
  const file = await tools.jar(versions.generator);
  const config = tools.configuration(`openapi-generator/${language}.yaml`);
  const printed = await run(cwd, "java", "-jar", file, "generate", "-c", config);
  const warnings = printed.split("\n").filter((line) => / (?:WARN|ERROR) /.test(line));
  const about = warnings.filter((line) => !ownWarnings.test(line));
  if (about.length > 0) throw new Error(about.join("\n"));
  return join(cwd, "board");
}

async function heyApi(cwd: string) {
  const program = join(tools.project, "node_modules/@hey-api/openapi-ts/bin/run.js");
  await run(
    cwd,
    process.execPath,
    program,
    "-f",
    tools.configuration("hey-api/openapi-ts.config.mjs"),
  );
  return typeScript(cwd, "hey-api.ts.txt");
}

async function typeScriptFetch(cwd: string) {
  await generate(cwd, "typescript-fetch");
  return typeScript(cwd, "typescript-fetch.ts.txt");
}

async function typeScript(cwd: string, file: string) {
  const program = join(cwd, "session.ts");
  await cp(adapter(file), program);
  await tools.compileTypeScript(cwd, program);
  return [process.execPath, start, program];
}

async function pythonClient(cwd: string) {
  const bin = await tools.pythonWith(...versions.pythonClient);
  const config = tools.configuration("openapi-python-client/config.yaml");
  const files = ["--path", "openapi.json", "--output-path", "boards", "--config", config];
  const options = [...files, "--meta", "none", "--fail-on-warning"];
  const path = `PATH=${bin}:${process.env["PATH"]}`;
  await run(cwd, "env", path, join(bin, "openapi-python-client"), "generate", ...options);
  await checkTypes(cwd, bin);
  return python(cwd, bin, "openapi_python_client.py");
}

/** Fails for errors of strict types, except those of the generator's own `client.py`. */
async function checkTypes(cwd: string, bin: string) {
  const types = await run(cwd, join(bin, "mypy"), "--strict", "boards").catch(String);
  const errors = types.split("\n").filter((line) => / error: /.test(line));
  const own = errors.filter((line) => !line.startsWith("boards/client.py:"));
  if (own.length > 0) throw new Error(own.join("\n"));
}

async function generatorPython(cwd: string) {
  await generate(cwd, "python");
  const bin = await tools.pythonWith(
    "urllib3==2.6.3",
    "python-dateutil==2.9.0.post0",
    "pydantic==2.12.5",
    "typing-extensions==4.15.0",
  );
  return python(cwd, bin, "openapi_generator.py");
}

async function python(cwd: string, bin: string, file: string) {
  const program = join(bin, "python");
  await run(cwd, program, "-W", "error", "-m", "compileall", "-q", "boards");
  await cp(adapter(file), join(cwd, "session.py"));
  return [program, "session.py"];
}

async function oapiCodegen(cwd: string) {
  await tools.need("go");
  await mkdir(join(cwd, "board"));
  await module(cwd, "oapi-codegen.go.txt");
  const config = tools.configuration("oapi-codegen/config.yaml");
  await run(cwd, "go", "run", versions.oapiCodegen, "-config", config, "openapi.json");
  return go(cwd);
}

async function ogen(cwd: string) {
  await tools.need("go");
  await module(cwd, "ogen.go.txt");
  const config = tools.configuration("ogen/ogen.yml");
  const options = ["--config", config, "--package", "board", "--target", "board"];
  await run(cwd, "go", "run", versions.ogen, ...options, "openapi.json");
  return go(cwd);
}

async function generatorGo(cwd: string) {
  await tools.need("go");
  await generate(cwd, "go");
  await rm(join(cwd, "board/test"), { recursive: true, force: true });
  await module(cwd, "openapi-generator.go.txt");
  return go(cwd);
}

async function module(cwd: string, file: string) {
  await writeFile(join(cwd, "go.mod"), "module example.com/session\n\ngo 1.25\n");
  await cp(adapter(file), join(cwd, "main.go"));
}

async function go(cwd: string) {
  await run(cwd, "go", "mod", "tidy");
  await run(cwd, "go", "vet", "./...");
  await run(cwd, "go", "build", "-o", "session", ".");
  return [join(cwd, "session")];
}

async function kinOpenapi(cwd: string) {
  await tools.need("go");
  await module(cwd, "kin-openapi.go.txt");
  await run(cwd, "go", "get", versions.kin);
  await run(cwd, "go", "run", ".", "openapi.json");
  return undefined;
}

async function java(cwd: string) {
  await tools.need("javac");
  const made = await generate(cwd, "java");
  const path = await tools.classPath(cwd, join(made, "pom.xml"));
  await cp(adapter("Session.java.txt"), join(made, "src/main/java/Session.java"));
  const sources = await run(cwd, "find", join(made, "src/main/java"), "-name", "*.java");
  await writeFile(join(cwd, "sources.txt"), sources);
  const strict = [
    "-Xlint:all,-serial,-deprecation,-processing,-rawtypes,-unchecked",
    "-Xmaxwarns",
    "1000",
  ];
  const output = await run(cwd, "javac", ...strict, "-d", "classes", "-cp", path, "@sources.txt");
  checkWarnings(output);
  return ["java", "-cp", `classes:${path}`, "Session"];
}

async function kotlin(cwd: string) {
  const made = await generate(cwd, "kotlin");
  const path = await tools.classPath(cwd, adapter("kotlin.pom.xml"));
  await cp(adapter("Session.kt.txt"), join(made, "src/main/kotlin/Session.kt"));
  const options = ["-no-stdlib", "-no-reflect", "-cp", path, "-d", "classes"];
  const compiler = ["-Xmx1500m", "-cp", path, "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler"];
  const output = await run(cwd, "java", ...compiler, ...options, join(made, "src/main/kotlin"));
  checkWarnings(output);
  return ["java", "-cp", `classes:${path}`, "SessionKt"];
}

async function php(cwd: string) {
  await tools.need("php");
  await tools.needLibrary(
    cwd,
    "php-guzzlehttp-guzzle",
    "php",
    "-r",
    "require 'GuzzleHttp/autoload.php';",
  );
  const made = await generate(cwd, "php");
  const files = (await run(cwd, "find", join(made, "lib"), "-name", "*.php")).trim().split("\n");
  const parse =
    "foreach (array_slice($argv, 1) as $file) token_get_all(file_get_contents($file), TOKEN_PARSE);";
  await run(cwd, "php", "-r", parse, "--", ...files);
  await cp(adapter("openapi-generator.php.txt"), join(cwd, "session.php"));
  return ["php", "session.php"];
}

async function ruby(cwd: string) {
  await tools.need("ruby");
  await tools.needLibrary(cwd, "ruby-typhoeus", "ruby", "-e", "require 'typhoeus'");
  const made = await generate(cwd, "ruby");
  await cp(adapter("openapi-generator.rb"), join(cwd, "session.rb"));
  return ["ruby", "-I", join(made, "lib"), "session.rb"];
}

/** Fails for warnings about what comes from the document; the runtime of a generator has others. */
function checkWarnings(output: string) {
  const warnings = output.match(/^.*warning: .*$/gm) ?? [];
  const own = warnings.filter((line) => /\/(?:models?|apis?)\/|Session\./.test(line));
  if (own.length > 0) throw new Error(own.join("\n"));
}

/** The generators and readers of the document, by name. */
export const clients: Readonly<Record<string, Prepare>> = {
  "hey-api": heyApi,
  "openapi-python-client": pythonClient,
  "oapi-codegen": oapiCodegen,
  ogen,
  "kin-openapi": kinOpenapi,
  fern,
  "openapi-generator-typescript-fetch": typeScriptFetch,
  "openapi-generator-go": generatorGo,
  "openapi-generator-python": generatorPython,
  "openapi-generator-java": java,
  "openapi-generator-kotlin": kotlin,
  "openapi-generator-php": php,
  "openapi-generator-ruby": ruby,
};
