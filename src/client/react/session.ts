import {
  createContext,
  createElement,
  useContext,
  useMemo,
  useSyncExternalStore,
  type ReactElement,
  type ReactNode,
} from "react";
import type { SessionState, UserSession } from "../store/index.ts";
import { StoreProvider } from "./provider.ts";

const SessionContext = createContext<UserSession | undefined>(undefined);

type Props = {
  /** Made with `createSession`. */
  session: UserSession;
  /** The components inside. */
  children?: ReactNode;
};

/** What a server renders. */
const loading: SessionState = { status: "loading", user: undefined, store: undefined };
const getRendered = () => loading;

/** Makes a session, and the store of its user, available to all components inside. */
export function SessionProvider({ session, children }: Props): ReactElement {
  const { store, user } = useSyncExternalStore(session.subscribe, session.get, getRendered);
  const page =
    store === undefined
      ? children
      : createElement(StoreProvider, { store, key: user.publicId }, children);
  return createElement(SessionContext.Provider, { value: session }, page);
}

/** Who is signed in, the store of the user, and how to sign in and out. */
export type SessionHook = SessionState &
  Pick<UserSession, "signIn" | "confirm" | "register" | "finishSignIn" | "signOut">;

/** The session of the nearest provider: the same in all tabs. */
export function useSession(): SessionHook {
  const session = useContext(SessionContext);
  if (session === undefined) {
    throw new Error("useSession needs a SessionProvider around the component.");
  }
  const { subscribe, get, signIn, confirm, register, finishSignIn, signOut } = session;
  const state = useSyncExternalStore(subscribe, get, getRendered);
  return useMemo(
    () => ({ ...state, signIn, confirm, register, finishSignIn, signOut }),
    [state, signIn, confirm, register, finishSignIn, signOut],
  );
}
