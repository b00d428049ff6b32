const responses = new WeakSet<Response>();

/** Marks a response as final: it has all its headers, and no middleware changes it. */
export function markFinal(response: Response): Response {
  responses.add(response);
  return response;
}

/** Whether a response is final. */
export const isFinal = (response: Response): boolean => responses.has(response);
