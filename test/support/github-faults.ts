import type { Fault } from "./stand-in.ts";

const rateDocs =
  "https://docs.github.com/graphql/overview/rate-limits-and-node-limits-for-the-graphql-api";

const inSeconds = (seconds: number) => String(Math.floor(Date.now() / 1000) + seconds);

/** The answer of GraphQL to an exceeded hourly limit: 200 with an error. */
export const rateLimited =
  (resetsIn: number): Fault =>
  () => ({
    status: 200,
    headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": inSeconds(resetsIn) },
    body: {
      errors: [{ type: "RATE_LIMITED", message: "API rate limit exceeded for user ID 583231." }],
    },
  });

/** The answer of REST to an exceeded hourly limit. */
export const restRateLimited =
  (resetsIn: number): Fault =>
  () => ({
    status: 403,
    headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": inSeconds(resetsIn) },
    body: { message: "API rate limit exceeded for user ID 583231.", documentation_url: rateDocs },
  });

/** The secondary limit, with or without a delay. */
export const secondaryLimit =
  (status: 200 | 403 | 429, retryAfter?: string): Fault =>
  () => {
    const message =
      "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
    return {
      status,
      headers: {
        "x-ratelimit-remaining": "4871",
        "x-ratelimit-reset": inSeconds(3000),
        ...(retryAfter === undefined ? {} : { "retry-after": retryAfter }),
      },
      body: status === 200 ? { errors: [{ message }] } : { message, documentation_url: rateDocs },
    };
  };

/** A query that timed out. */
export const graphqlTimeout: Fault = () => ({
  status: 200,
  body: {
    data: null,
    errors: [
      {
        message:
          "Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug.",
      },
    ],
  },
});

/** 403 to a valid token, for a reason that is not a limit. */
export const suspended: Fault = () => ({
  status: 403,
  body: { message: "Sorry. Your account was suspended.", documentation_url: rateDocs },
});

/** Pages without an end: each names a next page with a new cursor. */
export const endlessPages = (): Fault => {
  let page = 0;
  return () => {
    page += 1;
    const connection = {
      nodes: [{ id: `PVT_${page}`, title: `Page ${page}`, closed: false }],
      pageInfo: { hasNextPage: true, endCursor: `cursor-${page}` },
    };
    return { status: 200, body: { data: { viewer: { projectsV2: connection } } } };
  };
};

/** A page whose cursor names the same page. */
export const circularPages: Fault = () => ({
  status: 200,
  body: {
    data: {
      viewer: {
        projectsV2: { nodes: [], pageInfo: { hasNextPage: true, endCursor: "the-same" } },
      },
    },
  },
});
