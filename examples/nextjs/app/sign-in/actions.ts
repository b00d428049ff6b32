"use server";

import { isError, isOffline } from "@workspace-board-service/client";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { sessions } from "../../sessions";
import { textOf } from "../text-of";

/** Signs in. Returns why it did not work. */
export async function signIn(_: string, form: FormData): Promise<string> {
  const credentials = { email: textOf(form, "email"), password: textOf(form, "password") };
  try {
    await sessions.signIn(await cookies(), credentials);
  } catch (error) {
    return reasonOf(error);
  }
  return redirect("/");
}

/** Creates an account and signs in. Returns why it did not work. */
export async function signUp(_: string, form: FormData): Promise<string> {
  const credentials = { email: textOf(form, "email"), password: textOf(form, "password") };
  try {
    await sessions.register(await cookies(), { ...credentials, name: textOf(form, "name") });
  } catch (error) {
    return reasonOf(error);
  }
  return redirect("/");
}

export async function signOut() {
  await sessions.signOut(await cookies());
  redirect("/sign-in");
}

/** What the page shows of an error of the service; other errors are thrown again. */
function reasonOf(error: unknown): string {
  if (isOffline(error)) return "The board service cannot be reached.";
  if (isError(error)) return error.issues[0]?.message ?? error.message;
  throw error;
}
