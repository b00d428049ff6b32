import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { Environment } from "../../src/platform/config.ts";
import { useApp } from "../support/app.ts";

const key = "the key of the operator";
const app = useApp({ env: { ADMIN_KEY: key } });

/** The labels of each metric that the service serves. */
async function servedMetrics(): Promise<Map<string, Set<string>>> {
  const headers = { "X-Admin-Key": key };
  const read = () => app().fetch(new Request("http://service/metrics", { headers }));
  // The first request is measured in the second answer.
  await read();
  const text = await (await read()).text();
  const metrics = new Map<string, Set<string>>();
  for (const [, name = "", labels = ""] of text.matchAll(/^(\w+)(?:\{([^}]*)\})? \S+$/gm)) {
    const names = [...labels.matchAll(/(\w+)="/g)].map(([, label = ""]) => label);
    metrics.set(name, new Set([...(metrics.get(name) ?? []), ...names]));
  }
  return metrics;
}

/** What Prometheus itself adds to each metric, and its own metric of a scrape. */
const ofPrometheus = { labels: ["job", "instance"], metric: "up" };
const words = new Set(["by", "without", "on", "and", "or", "unless", "bool", "offset"]);

/** The metrics and the labels that an expression names. */
function namesOf(expression: string): { metrics: string[]; labels: string[] } {
  const labels: string[] = [];
  const take = (of: RegExp) => (found: string) => {
    labels.push(...[...found.matchAll(of)].map(([, label = ""]) => label));
    return " ";
  };
  const rest = expression
    .replaceAll(/\{[^}]*\}/g, take(/(\w+)\s*(?:=~|!~|!=|=)/g))
    .replaceAll(/\b(?:by|without|on)\s*\([^)]*\)/g, take(/(\w+)(?=\s*[,)])/g))
    .replaceAll(/\[[^\]]*\]/g, " ");
  const metrics = [...rest.matchAll(/(?<![\w.])[a-z_]\w*(?!\w|\s*\()/gi)].map(([name]) => name);
  return { metrics: metrics.filter((name) => !words.has(name)), labels };
}

/** The names in an expression that the service does not serve. */
function unknownNames(expression: string, served: Map<string, Set<string>>): string[] {
  const { metrics, labels } = namesOf(expression);
  expect(metrics, expression).not.toEqual([]);
  const known = new Set(metrics.flatMap((name) => [...(served.get(name) ?? [])]));
  const own = (label: string) => known.has(label) || ofPrometheus.labels.includes(label);
  return [
    ...metrics.filter((name) => !served.has(name) && name !== ofPrometheus.metric),
    ...labels.filter((label) => !own(label)),
  ];
}

const Rule = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(["critical", "warning"]) }),
  annotations: z.strictObject({ summary: z.string().min(20), advice: z.string().min(40) }),
});
const Rules = z.strictObject({
  groups: z.tuple([z.strictObject({ name: z.string(), rules: z.array(Rule) })]),
});
const { rules } = Rules.parse(parse(readFileSync("docs/alert-rules.yaml", "utf8"))).groups[0];

/** The pages that have the commands. */
const pages = ["operator", "operating"]
  .map((name) => readFileSync(`docs/${name}.md`, "utf8"))
  .join("\n");

const Dashboard = z.object({
  panels: z.array(
    z.object({
      type: z.string(),
      title: z.string(),
      targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).default([]),
    }),
  ),
  templating: z.object({
    list: z.array(z.object({ name: z.string(), definition: z.string().optional() })),
  }),
});
const dashboard = Dashboard.parse(JSON.parse(readFileSync("docs/grafana-dashboard.json", "utf8")));
const targets = dashboard.panels.flatMap((panel) => panel.targets);

test("the names of a renamed metric, or of another label, are unknown", async () => {
  const served = await servedMetrics();
  const unknown = (expression: string) => unknownNames(expression, served);
  expect(
    unknown(`sum by (status, le) (rate(http_request_duration_seconds_bucket[5m])) > 1e3`),
  ).toEqual([]);
  expect(unknown(`sum by (code) (rate(http_requests{status="500"}[5m])) or vector(0)`)).toEqual([
    "http_requests",
    "status",
    "code",
  ]);
  expect(unknown(`db_connections{state="busy", pool="a"} / on (instance) db_up`)).toEqual(["pool"]);
});

test("there are ten alert rules about metrics that exist, each with advice", async () => {
  const served = await servedMetrics();
  expect(rules.length).toBe(10);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(10);
  for (const { alert, expr, annotations } of rules) {
    expect(unknownNames(expr, served), alert).toEqual([]);
    const settings = annotations.advice.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? [];
    const unknown = settings.filter((name) => !Object.hasOwn(Environment.shape, name));
    expect(unknown, alert).toEqual([]);
    for (const [, command = ""] of annotations.advice.matchAll(/`(wbs [^`]+)`/g)) {
      expect(pages, alert).toContain(command);
    }
  }
});

test("the dashboard shows metrics that exist, all of the service's own", async () => {
  const served = await servedMetrics();
  expect(targets.length).toBeGreaterThan(20);
  for (const { expr, legendFormat } of targets) {
    expect(unknownNames(expr, served)).toEqual([]);
    const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label);
    expect(unknownNames(`${expr} / on (${shown.join(", ")}) up`, served), expr).toEqual([]);
  }
  const shown = targets.map(({ expr }) => expr).join("\n");
  const own = [...served.keys()].filter((name) => !/^(?:process|nodejs)_/.test(name));
  expect(own.filter((name) => !shown.includes(name))).toEqual([]);
});

test("the variables of the dashboard are those that its expressions have", async () => {
  const served = await servedMetrics();
  const { list } = dashboard.templating;
  const queries = list.flatMap(({ definition }) => definition ?? []);
  for (const query of queries) {
    const [, from = "", label = ""] = /^label_values\((.+), (\w+)\)$/.exec(query) ?? [];
    expect(unknownNames(`sum by (${label}) (${from})`, served)).toEqual([]);
  }
  const used = targets.flatMap(({ expr }) => expr.match(/\$(?!__)\w+/g) ?? []);
  expect(new Set(used)).toEqual(new Set(list.slice(1).map(({ name }) => `$${name}`)));
});
