import Link from "next/link";
import { service } from "../../sessions";
import { AccountForm } from "./account-form";
import { signIn, signInWith } from "./actions";

type Props = { searchParams: Promise<{ failed?: string }> };

export default async function Page({ searchParams }: Props) {
  const { failed } = await searchParams;
  return (
    <main>
      <h1>Sign in</h1>
      {failed !== undefined && (
        <p role="alert">
          The provider did not sign you in. If you have an account, use its password.
        </p>
      )}
      <AccountForm action={signIn} submit="Sign in">
        <label>
          Email <input name="email" type="email" autoComplete="username" required />
        </label>
        <label>
          Password{" "}
          <input name="password" type="password" autoComplete="current-password" required />
        </label>
      </AccountForm>
      {(await service.signIn.providers()).map(({ id, name }) => (
        <form key={id} action={signInWith.bind(null, id)}>
          <button>Sign in with {name}</button>
        </form>
      ))}
      <p>
        <Link href="/sign-up">Create an account</Link>
      </p>
    </main>
  );
}
