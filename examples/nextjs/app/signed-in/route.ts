import { isError } from "@workspace-board-service/client";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { sessions, visitorOf } from "../../sessions";

/** Where the browser returns from a provider: finishes the sign-in that it has begun. */
export async function GET(request: Request) {
  const result = new URL(request.url).searchParams.get("result");
  if (result === null) redirect("/sign-in?failed=1");
  try {
    await sessions.finishSignIn(await cookies(), result, visitorOf(request.headers));
  } catch (error) {
    if (!isError(error)) throw error;
    redirect("/sign-in?failed=1");
  }
  redirect("/");
}
