import Link from "next/link";
import { AccountForm } from "../sign-in/account-form";
import { signUp } from "../sign-in/actions";

export default function Page() {
  return (
    <main>
      <h1>Create an account</h1>
      <AccountForm action={signUp} submit="Create an account">
        <label>
          Name <input name="name" autoComplete="name" required />
        </label>
        <label>
          Email <input name="email" type="email" autoComplete="username" required />
        </label>
        <label>
          Password <input name="password" type="password" autoComplete="new-password" required />
        </label>
      </AccountForm>
      <p>
        <Link href="/sign-in">Sign in with an account</Link>
      </p>
    </main>
  );
}
