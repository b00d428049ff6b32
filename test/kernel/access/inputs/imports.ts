import type { Operation } from "../../../../src/contract/policy.ts";
import { publicId } from "../../../../src/platform/db/public-id.ts";
import { saveGrant } from "../../../../src/transfer/integrations/grant.ts";
import { putImport, putPerson } from "../fixtures.ts";
import { on, onWorkspace, type Make } from "./make.ts";

/** An import of the caller, or of the fixtures' admin. */
const oneOfTheirs: Make = on(async ({ app, fixtures }, who) => ({
  importPublicId: await putImport(app, fixtures.id, who?.id ?? fixtures.admin.id),
}));

/** Good inputs of what is done about imports. */
export const importInputs = {
  "import.trelloBoards": on(({ trello }) => ({ apiKey: trello.apiKey, token: trello.token })),
  "import.trello": onWorkspace(({ trello }) => ({
    boardIds: [publicId()],
    apiKey: trello.apiKey,
    token: trello.token,
  })),
  "import.trelloFile": onWorkspace(),
  "import.csv": onWorkspace(() => ({ boardName: "Cards" })),
  "import.csvPreview": onWorkspace(),
  "import.planka": onWorkspace(({ planka }) => ({
    boardIds: [publicId()],
    url: planka.url,
    token: planka.token,
  })),
  "import.kan": onWorkspace(({ kan }) => ({
    boardIds: [publicId()],
    url: kan.url,
    apiKey: kan.apiKey,
  })),
  "workspace.import": on(() => ({})),
  "import.github": onWorkspace(async ({ app, github }, who) => {
    const token = { expiresIn: null, refreshToken: null, refreshTokenExpiresIn: null, scopes: [] };
    if (who) {
      await saveGrant(app.deps, who.id, { accessToken: github.grant(), ...token }, "octocat");
    }
    return { projectIds: [publicId()] };
  }),
  "import.list": onWorkspace(),
  "import.get": oneOfTheirs,
  "import.report": oneOfTheirs,
  "import.cancel": oneOfTheirs,
  "import.people": oneOfTheirs,
  "import.mapPeople": on(async ({ app, fixtures }, who) => ({
    importPublicId: await putImport(app, fixtures.id, who?.id ?? fixtures.admin.id),
    people: [{ sourceId: await putPerson(app, fixtures), memberPublicId: fixtures.ids.member }],
  })),
} satisfies Partial<Record<Operation, Make>>;
