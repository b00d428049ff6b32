import { z } from "zod";
import { badGateway } from "../errors.ts";
import { parseOne, parseTask } from "../parsing/pool.ts";
import { originOf } from "./answer-shapes.ts";
import {
  answerModule,
  readJsonAnswer,
  type AnswerOptions,
  type AnswerSize,
} from "./answer-task.ts";

async function* each(chunks: Uint8Array[]) {
  yield* chunks;
}

/** An answer of a service, as it was received. */
export type Received = { service: string; chunks: Uint8Array[] };

async function read({ service, chunks }: Received, options: AnswerOptions, signal?: AbortSignal) {
  const task = parseTask(answerModule, `The answer of ${service}`, readJsonAnswer);
  const answer = await parseOne(task, each(chunks), options, signal);
  if (answer.problem === "size")
    throw badGateway("provider_failed", `${service} sent a response with too many values.`);
  if (answer.problem === "json") throw unreadable(service);
  return answer;
}

const unreadable = (service: string) =>
  badGateway("provider_failed", `${service} sent an invalid response.`);

/** Parses and validates an answer in a thread. Throws 502 when it is invalid. */
export async function readAnswer<T>(
  received: Received,
  shape: z.ZodType<T>,
  { signal, size }: { signal?: AbortSignal | undefined; size?: AnswerSize } = {},
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
  const answer = await read(received, { shape: originOf(shape), around: outside }, signal);
  const data = () => {
    if (answer.isValid !== true) throw unreadable(received.service);
    return z.custom<T>().parse(answer.value);
  };
  const others = z.custom<Around & { isNull: boolean }>().parse(answer.around);
  return { around: others, isNull: others.isNull, data };
}
