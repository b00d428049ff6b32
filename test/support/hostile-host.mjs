import { createServer } from "node:http";
import { parentPort } from "node:worker_threads";

// A third party that attacks whoever reads its answers. It runs in a thread, so that what it costs
// itself does not count. Messages set the attack; each request is told to the test.

const json = { "content-type": "application/json" };
const each = (count, of) => Array.from({ length: count }, (_, nth) => of(nth)).join();

/** What each service answers when its credentials are checked. */
const access = [
  ["/api/v1/workspaces", "[]"],
  ["/api/projects", '{"items":[],"included":{"boards":[]}}'],
  ["/1/members/me/boards", "[]"],
];

/** Boards of `count` cards in the shapes of all services. */
function boardOf({ url, body }, count, card) {
  const cards = each(count, card);
  if (url.startsWith("/api/v1/"))
    return `{"publicId":"b","name":"B","lists":[{"publicId":"l","name":"L","cards":[${cards}]}]}`;
  if (url.startsWith("/api/boards/"))
    return `{"item":{"id":"b","name":"B"},"included":{"lists":[{"id":"l","name":"L","position":1}],"cards":[${cards}]}}`;
  if (url.includes("/cards/")) return `[${cards}]`;
  if (url.includes("/actions")) return "[]";
  if (url.startsWith("/1/")) return '{"id":"b","name":"B","lists":[{"id":"l","name":"L"}]}';
  const items = `{"nodes":[${cards}],"pageInfo":{"hasNextPage":false,"endCursor":null}}`;
  const node = body.includes("items(") ? `{"items":${items}}` : '{"id":"p","title":"P"}';
  return `{"data":{"node":${node}}}`;
}

const smallCard = (nth) =>
  `{"publicId":"c${nth}","id":"c${nth}","listId":"l","idList":"l","title":"x","name":"x","commentsTotal":0}`;
const html = `<ul>${"<li><p>x</p><ul>".repeat(12_000)}`;
const htmlCard = (nth) =>
  `{"publicId":"c${nth}","id":"c${nth}","listId":"l","idList":"l","title":"x","name":"x","description":${JSON.stringify(html)},"commentsTotal":0}`;

/** The elements of all lists within a value twice. */
function doubled(value) {
  if (Array.isArray(value)) return [...value, ...value].map(doubled);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, doubled(inside)]));
}

/** Two cards with everything on them, whose parts have the same ids. */
function sameIds({ url, body }) {
  const person = {
    publicId: "m",
    id: "m",
    user: { id: "u", name: "Ada" },
    name: "Ada",
    fullName: "Ada",
  };
  const cards = ["c0", "c1"].map((id) => ({
    publicId: id,
    id,
    listId: "l",
    idList: "l",
    title: "T",
    name: "T",
    position: 1,
    idLabels: ["la"],
    labels: [{ publicId: "la", id: "la", name: "L" }],
    members: [person],
    checklists: [
      {
        publicId: "ch",
        id: "ch",
        name: "C",
        index: 0,
        items: [{ publicId: "i", title: "I", completed: false, index: 0 }],
        checkItems: [{ id: "i", name: "I", state: "complete" }],
      },
    ],
    attachments: [{ publicId: "a", id: "a", name: "A", url: "https://example.com/a" }],
    comments: [{ publicId: "co" }],
  }));
  const lists = [{ publicId: "l", id: "l", name: "L", cards, type: "active", position: 1 }];
  const labels = [{ publicId: "la", id: "la", name: "L", color: "red" }];
  if (url.startsWith("/api/v1/cards/")) {
    const comment = { publicId: "co", comment: "Hi", createdBy: "u" };
    const activities = [{ type: "card.updated.comment.added", comment }];
    return doubled({ attachments: [{ publicId: "a", filename: "f", url: "" }], activities });
  }
  if (url.startsWith("/api/v1/")) return doubled({ publicId: "b", name: "B", lists, labels });
  if (url.includes("/comments")) return doubled({ items: [{ id: "co", text: "Hi", userId: "m" }] });
  const onCards = (of) => cards.map(({ id: cardId }) => ({ cardId, ...of }));
  if (url.startsWith("/api/")) {
    const included = {
      lists,
      labels,
      cards,
      users: [person],
      cardLabels: onCards({ labelId: "la" }),
      cardMemberships: onCards({ userId: "m" }),
      taskLists: onCards({ id: "ch", name: "C", position: 1 }),
      tasks: onCards({ id: "i", taskListId: "ch", name: "I", position: 1 }),
      attachments: onCards({
        id: "a",
        type: "link",
        name: "A",
        data: { url: "https://example.com" },
      }),
      customFieldGroups: [{ id: "g", name: "G", position: 1 }],
      customFields: [{ id: "f", customFieldGroupId: "g", name: "F", position: 1, type: "text" }],
      customFieldValues: onCards({ customFieldGroupId: "g", customFieldId: "f", content: "x" }),
      projects: [{ id: "p", name: "P" }],
    };
    return doubled({ item: { id: "b", name: "B" }, included });
  }
  if (url.includes("/cards/")) return doubled(cards);
  if (url.includes("/actions"))
    return doubled([{ id: "co", type: "commentCard", data: { card: { id: "c0" }, text: "Hi" } }]);
  if (url.startsWith("/1/"))
    return doubled({ id: "b", name: "B", lists: [{ id: "l", name: "L" }], labels });
  const field = { id: "f", name: "Status", dataType: "SINGLE_SELECT" };
  const options = [{ id: "o", name: "Todo", color: "RED" }];
  const project = {
    id: "p",
    title: "P",
    fields: { totalCount: 1, nodes: [{ ...field, options }] },
  };
  const content = {
    __typename: "Issue",
    title: "T",
    url: "https://example.com/1",
    number: 1,
    labels: { totalCount: 1, nodes: [{ name: "L", color: "ff0000" }] },
    assignees: { totalCount: 1, nodes: [{ login: "ada", name: "Ada" }] },
  };
  const value = {
    __typename: "ProjectV2ItemFieldSingleSelectValue",
    optionId: "o",
    name: "Todo",
    field,
  };
  const fieldValues = { totalCount: 1, nodes: [value] };
  const nodes = ["c0", "c1"].map((id) => ({ id, content, fieldValues }));
  const items = { nodes, pageInfo: { hasNextPage: false, endCursor: null } };
  return doubled({ data: { node: body.includes("items(") ? { items } : project } });
}

const distinctKeys = `{${each(1_900_000, (nth) => `"k${nth}":0`)}}`;

const attacks = {
  "the same ids": (request) => JSON.stringify(sameIds(request)),
  "distinct keys": () => distinctKeys,
  "small cards": (request) => boardOf(request, 140_000, smallCard),
  "lists in HTML": (request) => boardOf(request, 20, htmlCard),
  "nested arrays": () => "[".repeat(8_000_000),
  "other types": () => '{"data":[[],{}],"item":1,"publicId":{},"lists":"x","included":null}',
  "no JSON": () => "x".repeat(30_000_000),
};

let attack = "drip";
const bodies = new Map();
parentPort.on("message", (next) => {
  attack = next;
  bodies.clear();
});

const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  const { url } = request;
  const answer = access.find(([path]) => url.split("?")[0] === path)?.[1];
  response.writeHead(200, json);
  if (answer !== undefined) return response.end(answer);
  if (attack === "drip") {
    parentPort.postMessage("asked");
    const timer = setInterval(() => response.write(" "), 200);
    response.on("close", () => {
      clearInterval(timer);
      parentPort.postMessage("closed");
    });
    return undefined;
  }
  const key = `${url} ${body}`;
  if (!bodies.has(key)) bodies.set(key, attacks[attack]({ url, body }));
  return response.end(bodies.get(key));
});
server.listen(0, "127.0.0.1", () => parentPort.postMessage({ port: server.address().port }));
