import { signIn } from "./actions";

export default function Page() {
  return (
    <form action={signIn} style={{ display: "grid", gap: "0.5rem", maxWidth: "20rem" }}>
      <label>
        Email <input name="email" type="email" required />
      </label>
      <label>
        Password <input name="password" type="password" required />
      </label>
      <button>Sign in</button>
    </form>
  );
}
