import type {
  AnyProcedure,
  AnyRouter,
  inferProcedureOutput,
  inferRouterInputs,
} from "@trpc/server";
import type { AppRouter } from "./service.ts";

export type * from "./service.ts";

/** The inputs of all operations, by resource and verb. */
export type Inputs = inferRouterInputs<AppRouter>;

/** The outputs of all operations, by resource and verb. */
export type Outputs = OutputsOf<AppRouter["_def"]["record"]>;

// Outputs are JSON. The type that tRPC infers would repeat their fields instead of their names.
type OutputsOf<R> = {
  [Name in keyof R]: R[Name] extends AnyProcedure
    ? inferProcedureOutput<R[Name]>
    : R[Name] extends AnyRouter
      ? OutputsOf<R[Name]["_def"]["record"]>
      : OutputsOf<R[Name]>;
};

/** A board with its lists and cards. */
export type Board = Outputs["board"]["get"];
/** A card with all its relations. */
export type Card = Outputs["card"]["get"];
/** A user and the tokens of a new session. */
export type SignIn = Outputs["auth"]["login"];
/** An account, as its owner sees it. */
export type User = SignIn["user"];
/** The input of `auth.login`. */
export type LoginAuthInput = Inputs["auth"]["login"];
/** The input of `auth.confirm`. */
export type ConfirmAuthInput = Inputs["auth"]["confirm"];
/** A second factor that was added. */
export type AddedSecondFactor = Outputs["secondFactor"]["addPasskey"];
/** What makes a passkey, in `options`, and names it, in `setup`. */
export type StartedPasskey = Outputs["secondFactor"]["startPasskey"];
/** The input of `secondFactor.addPasskey`. */
export type AddPasskeySecondFactorInput = Inputs["secondFactor"]["addPasskey"];
/** The input of `auth.register`. */
export type RegisterAuthInput = Inputs["auth"]["register"];
/** A sign-in through a provider that has begun. */
export type StartedSignIn = Outputs["signIn"]["start"];
/** The input of `signIn.start`. */
export type StartSignInInput = Inputs["signIn"]["start"];
/** Who the caller is at a provider of sign-in. */
export type Identity = Outputs["signIn"]["link"];
/** A file or link on a card. */
export type Attachment = Outputs["attachment"]["download"];
/** A file or link with its card. */
export type AttachmentDetail = Outputs["attachment"]["upload"];

type Streamed<Output> = Output extends AsyncIterable<{ data: infer Item }> ? Item : never;

/** An item of the stream of a user. */
export type UserStreamItem = Streamed<Outputs["user"]["stream"]>;
