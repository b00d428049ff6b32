import type { Notice } from "./use-notice.ts";

/** A notice at the bottom of the page, with a button such as "Undo". */
export function Toast({ notice, onHide }: { notice: Notice | undefined; onHide: () => void }) {
  return (
    <p className="toast" role="status">
      {notice !== undefined && (
        <>
          {notice.text}{" "}
          {notice.run !== undefined && (
            <button
              type="button"
              onClick={() => {
                notice.run?.();
                onHide();
              }}
            >
              {notice.button ?? "Undo"}
            </button>
          )}
        </>
      )}
    </p>
  );
}
