import { z } from "zod";
import { badGateway } from "../errors.ts";
import { parseOne, parseTask } from "../parsing/pool.ts";
import { originOf } from "./response-shapes.ts";
import {
  responseModule,
  readJsonResponse,
  type ResponseOptions,
  type ResponseSize,
} from "./response-task.ts";

async function* each(chunks: Uint8Array[]) {
  yield* chunks;
}

/** An answer of a service, as it was received. */
export type Received = { service: string; chunks: Uint8Array[] };

async function read({ service, chunks }: Received, options: ResponseOptions, signal?: AbortSignal) {
  const task = parseTask(responseModule, `The answer of ${service}`, { readJsonResponse });
  const response = await parseOne(task, each(chunks), options, signal);
  if (response.problem === "size")
    throw badGateway("provider_failed", `${service} sent a response with too many values.`);
  if (response.problem === "json") throw unreadable(service);
  return response;
}

const unreadable = (service: string) =>
  badGateway("provider_failed", `${service} sent an invalid response.`);

/** Parses and validates an answer in a thread. Throws 502 when it is invalid. */
export async function readResponse<T>(
  received: Received,
  shape: z.ZodType<T>,
  { signal, size }: { signal?: AbortSignal | undefined; size?: ResponseSize } = {},
): Promise<T> {
  const { value, isValid } = await read(received, { shape: originOf(shape), size }, signal);
  if (isValid !== true) throw unreadable(received.service);
  return z.custom<T>().parse(value);
}

/** An answer whose data is a field of it. `data` throws 502 when it is invalid. */
export type Wrapped<T, Around> = { around: Around; isNull: boolean; data: () => T };

/** Reads an answer whose data is the field `part` of it. Throws 502 when what is around it is invalid. */
export async function readWrapped<T, Around>(
  received: Received,
  shape: z.ZodType<T>,
  around: { shape: z.ZodType<Around>; part: string },
  signal?: AbortSignal,
): Promise<Wrapped<T, Around>> {
  const outside = { shape: originOf(around.shape), part: around.part };
  const response = await read(received, { shape: originOf(shape), around: outside }, signal);
  const data = () => {
    if (response.isValid !== true) throw unreadable(received.service);
    return z.custom<T>().parse(response.value);
  };
  const others = z.custom<Around & { isNull: boolean }>().parse(response.around);
  return { around: others, isNull: others.isNull, data };
}
