"use server";

import { isError, isOffline } from "@workspace-board-service/client";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { sessions } from "../../sessions";

/** The text of a field of a form. */
function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** Signs in. Returns why it did not work. */
export async function signIn(_: string, form: FormData): Promise<string> {
  const credentials = { email: textOf(form, "email"), password: textOf(form, "password") };
  try {
    await sessions.signIn(await cookies(), credentials);
  } catch (error) {
    if (isOffline(error)) return "The board service cannot be reached.";
    if (isError(error)) return error.issues[0]?.message ?? error.message;
    throw error;
  }
  return redirect("/");
}

export async function signOut() {
  await sessions.signOut(await cookies());
  redirect("/sign-in");
}
