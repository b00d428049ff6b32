import type { ReactNode } from "react";
import { Boundary } from "./boundary.tsx";
import { Button, Dialog, Heading, Modal as Box, ModalOverlay } from "react-aria-components";

type Props = {
  title: string;
  onClose: () => void;
  /** `card-box` shows a whole card, `side` is a panel at the edge of the window. */
  size?: "small" | "wide" | "card-box" | "side";
  /** Asks before something that cannot be undone. */
  isAlert?: boolean;
  children: ReactNode;
};

/** A dialog over the page. Escape, a click outside and its button close it. */
export function Modal({ title, onClose, size = "small", isAlert = false, children }: Props) {
  return (
    <ModalOverlay
      className={`overlay ${size}`}
      isOpen
      isDismissable
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Box className="modal">
        <Dialog role={isAlert ? "alertdialog" : "dialog"} className="dialog">
          <header>
            <Heading slot="title">{title}</Heading>
            <Button slot="close" className="icon" aria-label="Close">
              ✕
            </Button>
          </header>
          <Boundary name="This dialog">{children}</Boundary>
        </Dialog>
      </Box>
    </ModalOverlay>
  );
}
