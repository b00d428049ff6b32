import type { BoardView } from "@workspace-board-service/client/store";
import { SelectField } from "../components/choice-menu.tsx";
import { Modal } from "../components/modal.tsx";

type Mode = BoardView["openWorkMode"];

/** What a board does when a card is completed that has open blockers or parts. */
const modes: Record<Mode, string> = {
  off: "Allow it",
  warn: "Allow it, and show what is open",
  block: "Refuse it",
};
const isMode = (text: string): text is Mode => Object.hasOwn(modes, text);

type Props = { board: BoardView; onSave: (mode: Mode) => void; onClose: () => void };

/** Asks what happens when a card with open blockers or parts is completed. */
export const OpenWorkDialog = ({ board, onSave, onClose }: Props) => (
  <Modal title="Cards with open work" onClose={onClose}>
    <SelectField
      label="Completing a card with open blockers or parts"
      choices={Object.entries(modes)}
      value={board.openWorkMode}
      onChange={(mode) => isMode(mode) && onSave(mode)}
    />
  </Modal>
);
