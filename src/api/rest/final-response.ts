const responses = new WeakSet<Response>();

/** Notes that a response has all its headers: no middleware reads or changes it. */
export function markFinal(response: Response): Response {
  responses.add(response);
  return response;
}

/** Whether a response has all its headers. */
export const isFinal = (response: Response): boolean => responses.has(response);
