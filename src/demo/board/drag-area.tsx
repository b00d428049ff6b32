import { useState, type ReactNode } from "react";
import {
  closestCenter,
  DndContext,
  DragOverlay,
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

type Props = {
  board: BoardView;
  onMove: (card: string, target: Target) => void;
  /** The lists; `target` is where the dragged card would be dropped. */
  children: (target: Target | undefined) => ReactNode;
};

/** Lets cards be dragged with a mouse, or after a long touch. */
export function DragArea({ board, onMove, children }: Props) {
  const [dragged, setDragged] = useState("");
  const [target, setTarget] = useState<Target>();
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 200, tolerance: 8 } }),
  );
  const card = board.lists.flatMap(({ cards }) => cards).find((one) => one.publicId === dragged);
  const end = () => {
    setDragged("");
    setTarget(undefined);
  };
  return (
    <DndContext
      sensors={sensors}
      accessibility={{ announcements: announcementsOf(board) }}
      collisionDetection={nearestInList}
      onDragStart={({ active }) => setDragged(String(active.id))}
      onDragMove={(event) => {
        const next = targetOf(board, event);
        if (next?.list !== target?.list || next?.before !== target?.before) setTarget(next);
      }}
      onDragCancel={end}
      onDragEnd={(event) => {
        const found = targetOf(board, event);
        if (found !== undefined && found.before !== dragged) onMove(dragged, found);
        end();
      }}
    >
      {children(target)}
      <DragOverlay dropAnimation={null}>
        {card !== undefined && <CardTile board={board} card={card} className="dragged" />}
      </DragOverlay>
    </DndContext>
  );
}

/** What screen readers hear of a drag. The page announces the move itself. */
function announcementsOf({ lists }: BoardView): Announcements {
  const titleOf = (id: unknown) =>
    lists.flatMap(({ cards }) => cards).find(({ publicId }) => publicId === id)?.title ?? "card";
  return {
    onDragStart: ({ active }) => `Dragging ${titleOf(active.id)}.`,
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
