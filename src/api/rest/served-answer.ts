import type { ServedAnswer } from "../../kernel/answers/answer.ts";

const answers = new WeakMap<Request, ServedAnswer>();

/** Notes the bytes that a request is answered with. */
export const noteAnswer = (request: Request, answer: ServedAnswer): void =>
  void answers.set(request, answer);

/** The bytes that a request was answered with, where they are cached. */
export const answerTo = (request: Request): ServedAnswer | undefined => answers.get(request);
