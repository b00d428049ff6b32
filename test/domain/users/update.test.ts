import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { follow } from "../../support/feed.ts";
import { join, makeUser, makeWorkspace } from "../../support/make.ts";

const app = useApp();

test("user.update is published in every workspace of the user, once, and not without a change", async () => {
  const user = await makeUser(app(), "Before");
  const workspaces = [await makeWorkspace(app(), user), await makeWorkspace(app(), user)];
  const stranger = await makeWorkspace(app());
  const member = await join(app(), stranger, "member");
  const image = "https://images.example.com/after.png";
  await user.rest.put("/users/me", { name: "After", image });
  await user.trpc.user.update.mutate({ name: "After" });
  for (const { publicId } of workspaces) {
    const { items } = await follow(user, publicId, { query: "&types=member.updated" });
    expect(items.map(({ data }) => data.member)).toMatchObject([
      { name: "After", image, version: 2 },
    ]);
  }
  const { items } = await follow(member, stranger.publicId, { query: "&types=member.updated" });
  expect(items).toEqual([]);
});
