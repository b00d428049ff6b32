import Link from "next/link";
import { AccountForm } from "./account-form";
import { signIn } from "./actions";

export default function Page() {
  return (
    <main>
      <h1>Sign in</h1>
      <AccountForm action={signIn} submit="Sign in">
        <label>
          Email <input name="email" type="email" autoComplete="username" required />
        </label>
        <label>
          Password{" "}
          <input name="password" type="password" autoComplete="current-password" required />
        </label>
      </AccountForm>
      <p>
        <Link href="/sign-up">Create an account</Link>
      </p>
    </main>
  );
}
