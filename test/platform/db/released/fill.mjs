// Fills the service at `process.argv[2]` through its API: README.md says how it is used.
import { createServer } from "node:http";

const origin = process.argv[2];
const password = "correct horse battery";

/** A client with a token; fails with what the service answers. */
const clientOf = (token) => async (method, path, body, type) => {
  const isJson = body !== undefined && type === undefined;
  const response = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "Content-Type": type ?? "application/json" }),
    },
    ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
};

const register = async (name) => {
  const email = `${name.toLowerCase()}@example.com`;
  const { accessToken } = await clientOf()("POST", "/auth/register", { email, password, name });
  return clientOf(accessToken);
};

const received = [];
const receiver = createServer((request, response) => {
  request
    .on("data", () => undefined)
    .on("end", () => {
      received.push(request.url);
      response.end();
    });
});
await new Promise((resolve) => receiver.listen(0, "127.0.0.1", resolve));
const hook = `http://127.0.0.1:${receiver.address().port}/hook`;

const ann = await register("Ann");
const ben = await register("Ben");
const garden = (await ann("POST", "/workspaces", { name: "Garden", slug: "garden" })).publicId;
const home = `/workspaces/${garden}`;
await ann("POST", `${home}/webhooks`, {
  name: "All",
  url: hook,
  events: ["card.created", "comment.created"],
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
});
const invited = await ann("POST", `${home}/invites`, { role: "member" });
await ben("POST", "/invites/accept", { inviteCode: invited.inviteCode });
const { items: members } = await ann("GET", `${home}/members`);
const benAsMember = members.find((member) => JSON.stringify(member).includes("Ben")).publicId;
await ann("POST", `${home}/roles`, {
  name: "Helper",
  hierarchyLevel: 10,
  permissions: ["workspace:view", "board:view", "list:view", "card:view"],
});

const spring = await ann("POST", `${home}/boards`, {
  name: "Spring",
  lists: ["To do", "Doing", "Done"],
  labels: [{ name: "Urgent", colourCode: "#dc2626" }],
});
const [toDo, doing, done] = spring.lists.map(({ publicId }) => publicId);
await ann("PUT", `/boards/${spring.publicId}/favourite`, { favourite: true });
const labels = await ann("GET", `/boards/${spring.publicId}/labels`);
const card = async (title, listPublicId, more = {}) =>
  (await ann("POST", "/cards", { title, listPublicId, ...more })).publicId;
const fence = await card("Paint the fence", toDo);
const apple = await card("Die Äpfel ernten", toDo, {
  description: "Before the **first frost**",
  dueDate: "2027-10-01T12:00:00.000Z",
  labelPublicIds: [labels[0].publicId],
  memberPublicIds: [benAsMember],
  checklists: [{ name: "Steps", items: ["ladder", "basket"] }],
});
await card("リンゴの木を植える", toDo, { index: 0 });
const gone = await card("Burn the leaves", doing);
await ann("PUT", `/cards/${fence}`, { listPublicId: doing, index: 0 });
await ann("PUT", `/cards/${fence}`, { title: "Paint the fence green" });
await ann("DELETE", `/cards/${gone}`);
await ann("POST", `/cards/${apple}/duplicate`, { listPublicId: done, title: "Eat the apples" });
await ann("POST", `/cards/${apple}/comments`, { comment: "Who has the ladder? @Ben" });
await ben("POST", `/cards/${apple}/comments`, { comment: "I have it." });
await ben("PUT", `/cards/${fence}/watch`, { watching: true });
const filePath = `/cards/${apple}/attachments?filename=note.txt`;
await ann("POST", filePath, "twelve bytes", "application/octet-stream");

await ann("POST", `${home}/boards`, { name: "Autumn", sourceBoardPublicId: spring.publicId });
const open = await ann("POST", `${home}/boards`, { name: "Open day", visibility: "public" });
await ann("POST", "/lists", { name: "Guests", boardPublicId: open.publicId });
const old = await ann("POST", `${home}/boards`, { name: "Old", lists: ["One"] });
await ann("DELETE", `/boards/${old.publicId}`);
const second = (await ben("POST", "/workspaces", { name: "Second" })).publicId;
await ben("POST", `/workspaces/${second}/boards`, { name: "Alone", lists: ["One"] });

// The deliveries are part of what is stored.
while (received.length < 6) await new Promise((resolve) => setTimeout(resolve, 50));
await new Promise((resolve) => setTimeout(resolve, 2_000));
receiver.close();
