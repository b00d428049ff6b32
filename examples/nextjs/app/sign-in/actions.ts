"use server";

import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { sessions } from "../../sessions";

/** The text of a field of a form. */
function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

export async function signIn(form: FormData) {
  const credentials = { email: textOf(form, "email"), password: textOf(form, "password") };
  await sessions.signIn(await cookies(), credentials);
  redirect("/");
}

export async function signOut() {
  await sessions.signOut(await cookies());
  redirect("/sign-in");
}
