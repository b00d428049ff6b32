"use server";

import { isError, isOffline } from "@workspace-board-service/client";
import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { origin, sessions, visitorOf } from "../../sessions";
import { textOf } from "../text-of";

/** Signs in. Returns the message of a failure. */
export async function signIn(_: string, form: FormData): Promise<string> {
  const credentials = { email: textOf(form, "email"), password: textOf(form, "password") };
  try {
    await sessions.signIn(await cookies(), credentials, visitorOf(await headers()));
  } catch (error) {
    return reasonOf(error);
  }
  return redirect("/");
}

/** Begins a sign-in through a provider, and sends the browser there. */
export async function signInWith(provider: string) {
  const input = { provider, returnUrl: `${origin}/signed-in` };
  redirect(await sessions.signInWith(await cookies(), input, visitorOf(await headers())));
}

/** Creates an account and signs in. Returns the message of a failure. */
export async function signUp(_: string, form: FormData): Promise<string> {
  const credentials = { email: textOf(form, "email"), password: textOf(form, "password") };
  try {
    const input = { ...credentials, name: textOf(form, "name") };
    await sessions.register(await cookies(), input, visitorOf(await headers()));
  } catch (error) {
    return reasonOf(error);
  }
  return redirect("/");
}

export async function signOut() {
  await sessions.signOut(await cookies(), visitorOf(await headers()));
  redirect("/sign-in");
}

/** The message that the page shows for an error of the service. Throws other errors. */
function reasonOf(error: unknown): string {
  if (isOffline(error)) return "The board service cannot be reached.";
  if (isError(error)) return error.issues[0]?.message ?? error.message;
  throw error;
}
