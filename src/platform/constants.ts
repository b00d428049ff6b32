/** Settings that every installation shares. Tests start the service with other values. */
export const constants = {
  /** KiB of memory for argon2id; a higher value makes guessing slower. */
  PASSWORD_HASH_MEMORY: 19_456,
  /** Seconds to collect notifications into one mail. */
  MAIL_DELAY: 120,
  /** MiB that files leave free on their disk; below it, uploads are 503. */
  MIN_FREE_SPACE: 1_024,
  /** MiB of JSON that one account writes per day. */
  TEXT_PER_DAY: 1_024,
  /** MiB of files that one user reads, also by URLs that the user has signed. */
  DOWNLOADS_PER_MINUTE: 1_024,
  /** MiB of files that one account sends, copies or imports per day. */
  UPLOADS_PER_DAY: 16_384,
  /** MiB that the writes of one account store per day, with events and deliveries. */
  STORED_PER_DAY: 8_192,
  /** MiB of memory for answers of board reads; 0 turns it off. */
  CACHE_MB: 32,
  /** Invites by mail that one user sends per day. */
  INVITES_PER_DAY: 500,
  /** Invites by mail that one address receives per day. */
  INVITES_PER_ADDRESS: 20,
  /** Open streams and waiting reads of events, per user and instance. */
  STREAM_LIMIT: 50,
  /** Bytes per second that a client reads of an answer; a slower one is cut after a minute. */
  MIN_READ_RATE: 2_000,
  /** Bytes per second that a client sends of a body; a slower one is 408 after a minute. */
  MIN_SEND_RATE: 2_000,
  /** Seconds between the attempts of a delivery. */
  WEBHOOK_RETRY_SCHEDULE: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
  /** Attempts of deliveries at a time in this process. */
  WEBHOOK_CONCURRENCY: 256,
  /** Attempts per second to all webhooks in the workspaces that an account created. */
  WEBHOOK_ACCOUNT_RATE: 100,
  /** Attempts at a time to one host, twice as many to one address. */
  WEBHOOK_HOST_CONCURRENCY: 16,
  /** Attempts per second to one host, twice as many to one address. */
  WEBHOOK_HOST_RATE: 50,
};

export type Constants = typeof constants;
