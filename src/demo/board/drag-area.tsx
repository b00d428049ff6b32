import { useRef, useState, type ReactNode } from "react";
import {
  closestCenter,
  DndContext,
  DragOverlay,
  KeyboardSensor,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useSensor,
  useSensors,
  type Announcements,
  type CollisionDetection,
  type DragMoveEvent,
} from "@dnd-kit/core";
import type { BoardView } from "@workspace-board-service/client/store";
import { CardTile } from "../card/card-tile.tsx";
import type { Target } from "../base/types.ts";
import { focusSoon } from "../base/use-focus.ts";
import {
  moved,
  positionOf,
  sentenceOf,
  targetAt,
  type CardPosition,
} from "../base/card-position.ts";

type Props = {
  board: BoardView;
  onMove: (card: string, target: Target) => void;
  /** The lists; `target` is where the dragged card would be dropped. */
  children: (target: Target | undefined) => ReactNode;
};

const keyboardCodes = { start: ["Space"], cancel: ["Escape"], end: ["Space", "Enter"] };

/** The sensors of a drag. Arrow keys do not move the card, but say where it would be dropped. */
const useDragSensors = (onArrow: (key: string) => void) =>
  useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 200, tolerance: 8 } }),
    useSensor(KeyboardSensor, {
      keyboardCodes,
      coordinateGetter: (event) => {
        if (!event.key.startsWith("Arrow")) return undefined;
        event.preventDefault();
        onArrow(event.key);
        return undefined;
      },
    }),
  );

/** A drag by the keyboard: where the card would be dropped, and what is said of it. */
function useKeyboardDrag(board: BoardView, setTarget: (target: Target) => void) {
  // The sensor keeps the functions of the start of a drag.
  const latest = useRef(board);
  latest.current = board;
  const dragged = useRef<{ card: string; position: CardPosition }>(undefined);
  const [said, setSaid] = useState("");
  const say = (card: string, position: CardPosition) => {
    dragged.current = { card, position };
    setSaid(sentenceOf(latest.current, card, position));
    setTarget(targetAt(latest.current, card, position));
  };
  return {
    said,
    start: (card: string) => {
      const position = positionOf(latest.current, card);
      if (position !== undefined) say(card, position);
    },
    arrow: (key: string) => {
      const { card, position } = dragged.current ?? {};
      if (card === undefined || position === undefined) return;
      say(card, moved(latest.current, card, position, key));
    },
    end: () => {
      const { current } = dragged;
      dragged.current = undefined;
      setSaid("");
      return current && targetAt(latest.current, current.card, current.position);
    },
  };
}

/** Lets cards be dragged with a mouse, after a long touch, or with the keyboard. */
export function DragArea({ board, onMove, children }: Props) {
  const [dragged, setDragged] = useState("");
  const [isByKey, setIsByKey] = useState(false);
  const [target, setTarget] = useState<Target>();
  const keyboard = useKeyboardDrag(board, setTarget);
  const sensors = useDragSensors(keyboard.arrow);
  const card = board.lists.flatMap(({ cards }) => cards).find((one) => one.publicId === dragged);
  const end = () => {
    setDragged("");
    setTarget(undefined);
  };
  return (
    <DndContext
      sensors={sensors}
      accessibility={{ announcements: announcementsOf(board), screenReaderInstructions }}
      collisionDetection={nearestInList}
      onDragStart={({ active, activatorEvent }) => {
        const id = String(active.id);
        setDragged(id);
        setIsByKey(activatorEvent instanceof KeyboardEvent);
        if (activatorEvent instanceof KeyboardEvent) keyboard.start(id);
      }}
      onDragMove={(event) => {
        if (event.activatorEvent instanceof KeyboardEvent) return;
        const next = targetOf(board, event);
        if (next?.list !== target?.list || next?.before !== target?.before) setTarget(next);
      }}
      onDragCancel={() => {
        keyboard.end();
        end();
      }}
      onDragEnd={(event) => {
        const found = keyboard.end() ?? targetOf(board, event);
        if (found !== undefined && found.before !== dragged) onMove(dragged, found);
        if (isByKey) focusSoon(`#card-${dragged}`);
        end();
      }}
    >
      {children(target)}
      <p className="unseen" aria-live="assertive">
        {keyboard.said}
      </p>
      <DragOverlay dropAnimation={null}>
        {card !== undefined && !isByKey && (
          <CardTile board={board} card={card} className="dragged" />
        )}
      </DragOverlay>
    </DndContext>
  );
}

const screenReaderInstructions = {
  draggable:
    "Enter opens the card. Space picks it up: then arrow keys choose its list and position, " +
    "Space drops it, and Escape puts it back.",
};

/** What screen readers hear of a drag. The page announces the move itself. */
function announcementsOf({ lists }: BoardView): Announcements {
  const titleOf = (id: unknown) =>
    lists.flatMap(({ cards }) => cards).find(({ publicId }) => publicId === id)?.title ?? "card";
  return {
    onDragStart: ({ active }) => `Picked up ${titleOf(active.id)}.`,
    onDragOver: ({ active, over }) => {
      const id = over?.data.current?.["list"] ?? over?.id;
      const list = lists.find(({ publicId }) => publicId === id);
      return list && `${titleOf(active.id)} is over ${list.name}.`;
    },
    onDragEnd: ({ active }) => `${titleOf(active.id)} was dropped.`,
    onDragCancel: ({ active }) => `${titleOf(active.id)} stays where it was.`,
  };
}

/** The list under the pointer, and of its cards the nearest one. */
const nearestInList: CollisionDetection = (args) => {
  const containers = args.droppableContainers;
  const isList = ({ data }: (typeof containers)[number]) => data.current?.["list"] === undefined;
  const [list] = pointerWithin({ ...args, droppableContainers: containers.filter(isList) });
  if (list === undefined) return [];
  const cards = containers.filter(({ data }) => data.current?.["list"] === list.id);
  const nearest = closestCenter({ ...args, droppableContainers: cards });
  return nearest.length > 0 ? nearest : [list];
};

/** Where the dragged card would go. */
function targetOf(board: BoardView, { active, over }: DragMoveEvent): Target | undefined {
  const rect = active.rect.current.translated;
  if (over === null || rect === null) return undefined;
  const listId = (over.data.current?.["list"] as string | undefined) ?? String(over.id);
  const cards = board.lists.find(({ publicId }) => publicId === listId)?.cards ?? [];
  const others = cards.filter(({ publicId }) => publicId !== active.id);
  const nearest = cards.findIndex(({ publicId }) => publicId === over.id);
  if (nearest < 0) return { list: listId, before: undefined };
  // On itself the card stays where it is.
  if (over.id === active.id) return { list: listId, before: String(active.id) };
  const isBelow = rect.top + rect.height / 2 > over.rect.top + over.rect.height / 2;
  const index = others.findIndex(({ publicId }) => publicId === over.id) + (isBelow ? 1 : 0);
  return { list: listId, before: others[index]?.publicId };
}
