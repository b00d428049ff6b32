import { randomBytes } from "node:crypto";
import { z } from "zod";
import { createApi, type Api } from "./api.ts";
import { people, type SamplePerson, type SampleBoard, type SampleCard } from "./sample-content.ts";
import { officeBoard } from "./sample-office-board.ts";
import { websiteBoard } from "./sample-website-board.ts";

/** What is needed to look at the sample workspace. */
export type Seeded = { workspacePublicId: string; email: string; password: string };

type Team = Record<SamplePerson, { api: Api; memberPublicId: string }>;
type Named = { publicId: string; name: string };

const WithId = z.object({ publicId: z.string() });
const NamedResource = z.object({ publicId: z.string(), name: z.string() });
const Account = z.object({ accessToken: z.string() });
const Link = z.object({ inviteCode: z.string() });
const Joined = z.object({ memberPublicId: z.string() });
const MemberPage = z.object({ items: z.array(WithId) });
const NewBoard = WithId.extend({ lists: z.array(NamedResource), labels: z.array(NamedResource) });
const NewField = WithId.extend({ options: z.array(NamedResource) });

const dayMs = 24 * 60 * 60 * 1000;
const colours = ["#2563eb", "#16a34a", "#d97706", "#dc2626"];
const creators: readonly SamplePerson[] = ["ada", "ben", "cleo"];

/** Fills a service with three people, two boards and sixty cards; throws when Ada is there. */
export async function seed(url: string): Promise<Seeded> {
  const password = randomBytes(9).toString("base64url");
  const team = await makeTeam(url, password);
  const { publicId } = await post(team.ada.api, WithId, "/workspaces", { name: "Sample" });
  await joinAll(team, publicId);
  for (const board of [websiteBoard, officeBoard]) await makeBoard(team, publicId, board);
  await post(team.ada.api, WithId, `/workspaces/${publicId}/views`, dueSoon);
  return { workspacePublicId: publicId, email: people.ada.email, password };
}

/** A view of both boards. */
const dueSoon = {
  name: "Due soon",
  scope: "workspace",
  filter: {
    and: [
      { field: "isComplete", op: "is", value: false },
      { field: "dueDate", op: "within", value: "next 7 days" },
    ],
  },
  groupBy: { field: "member" },
};

/** How to sign in to the sample workspace. */
export const signInText = ({ workspacePublicId, email, password }: Seeded) =>
  [
    "A sample workspace with two boards:",
    `  Workspace ${workspacePublicId}`,
    `  Email     ${email}`,
    `  Password  ${password}`,
  ].join("\n");

const post = <Answer>(api: Api, schema: z.ZodType<Answer>, path: string, json: unknown) =>
  api.json(schema, path, { method: "POST", json });

async function makeTeam(url: string, password: string): Promise<Team> {
  const anonymous = createApi({ url });
  const join = async (person: SamplePerson) => {
    const account = { ...people[person], password };
    const { accessToken } = await post(anonymous, Account, "/auth/register", account);
    return { api: createApi({ url, token: accessToken }), memberPublicId: "" };
  };
  return { ada: await join("ada"), ben: await join("ben"), cleo: await join("cleo") };
}

async function joinAll(team: Team, workspacePublicId: string): Promise<void> {
  const path = `/workspaces/${workspacePublicId}`;
  const { items } = await team.ada.api.json(MemberPage, `${path}/members`);
  team.ada.memberPublicId = items[0]?.publicId ?? "";
  const { inviteCode } = await post(team.ada.api, Link, `${path}/invites`, {});
  for (const person of [team.ben, team.cleo]) {
    const joined = await post(person.api, Joined, "/invites/accept", { inviteCode });
    person.memberPublicId = joined.memberPublicId;
  }
}

async function makeBoard(team: Team, workspacePublicId: string, board: SampleBoard) {
  const lists = Object.keys(board.lists);
  const labels = board.labels.map((name, nth) => ({ name, colourCode: colours[nth] }));
  const path = `/workspaces/${workspacePublicId}/boards`;
  const newBoard = await post(team.ada.api, NewBoard, path, { name: board.name, lists, labels });
  const size = await makeSize(team.ada.api, newBoard.publicId, board.sizes);
  for (const [name, wipLimit] of Object.entries(board.limits ?? {})) {
    const json = { wipLimit };
    await team.ada.api.json(WithId, `/lists/${idOf(newBoard.lists, name)}`, {
      method: "PUT",
      json,
    });
  }
  for (const [name, cards] of Object.entries(board.lists)) {
    const isDone = name === lists.at(-1);
    for (const [nth, card] of cards.entries()) {
      const { api } = team[creators[nth % creators.length] ?? "ada"];
      const input = cardInput(team, card, idOf(newBoard.lists, name), newBoard.labels);
      const fields = valuesOf(size, card);
      const { publicId } = await post(api, WithId, "/cards", { ...input, ...fields });
      if (isDone) await complete(api, publicId);
      await comment(team, publicId, card);
    }
  }
}

/** Makes the custom field of a board. */
async function makeSize(api: Api, board: string, sizes: readonly string[] = []) {
  if (sizes.length === 0) return undefined;
  const options = sizes.map((name, nth) => ({ name, colourCode: colours[nth] }));
  const field = { name: "Size", type: "select", isShownOnCard: true, options };
  return post(api, NewField, `/boards/${board}/fields`, field);
}

const valuesOf = (field: z.infer<typeof NewField> | undefined, { size }: SampleCard) =>
  field === undefined || size === undefined
    ? {}
    : { fields: { [field.publicId]: idOf(field.options, size) } };

const idOf = (resources: Named[], name: string) =>
  resources.find((resource) => resource.name === name)?.publicId ?? "";

function cardInput(team: Team, card: SampleCard, listPublicId: string, labels: Named[]) {
  const { title, description, label, members = [], due, checklist } = card;
  return {
    title,
    listPublicId,
    memberPublicIds: members.map((person) => team[person].memberPublicId),
    ...(description === undefined ? {} : { description }),
    ...(label === undefined ? {} : { labelPublicIds: [idOf(labels, label)] }),
    ...(due === undefined ? {} : { dueDate: new Date(Date.now() + due * dayMs).toISOString() }),
    ...(checklist === undefined ? {} : { checklists: [{ name: "Steps", items: checklist }] }),
  };
}

const complete = (api: Api, publicId: string) =>
  api.json(WithId, `/cards/${publicId}`, { method: "PUT", json: { isComplete: true } });

async function comment(team: Team, card: string, { comments = [] }: SampleCard) {
  for (const [person, text] of comments) {
    await post(team[person].api, WithId, `/cards/${card}/comments`, { comment: text });
  }
}
