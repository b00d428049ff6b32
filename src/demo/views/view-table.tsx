import type { View } from "@workspace-board-service/client";
import { useViewCards } from "@workspace-board-service/client/react";
import type { BoardView } from "@workspace-board-service/client/store";
import { hrefOf } from "../base/route.ts";
import { messageOf } from "../base/service.ts";
import type { Card, Field } from "../base/types.ts";
import { Members, Priority } from "../card/card-tile.tsx";
import { FieldValue } from "../card/field-values.tsx";
import { colourClass, Due } from "../components/parts.tsx";
import { nameOf, type Group } from "./view-groups.ts";

/** The columns of every view; only views of several boards have the board. */
const usual = ["Card", "Title", "Board", "List", "Priority", "Due", "Members", "Labels"];

type Props = { view: View; groups: readonly Group[]; boards: readonly BoardView[] };

/** A view as a table, with a body for each group. */
export function ViewTable({ view, groups, boards }: Props) {
  const shown = boardsOf(view, boards);
  const fields = shown.flatMap((board) => board.fields.filter((field) => field.isShownOnCard));
  const columns = [...usual, ...fields.map(({ name }) => name)].filter(
    (name) => name !== "Board" || shown.length > 1,
  );
  return (
    <div className="table-area" tabIndex={0} role="region" aria-label={`Table of ${view.name}`}>
      <table className="view-table">
        <colgroup>
          {columns.map((name, nth) => (
            // Fields of two boards can have the same name.
            <col
              key={`${nth} ${name}`}
              className={`col-${nth < usual.length ? name.toLowerCase() : "field"}`}
            />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map((name, nth) => (
              <th key={`${nth} ${name}`} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map((group) => (
          <GroupRows
            key={group.key ?? ""}
            view={view}
            group={group}
            boards={shown}
            fields={fields}
            width={columns.length}
          />
        ))}
      </table>
    </div>
  );
}

/** The boards whose cards a view shows. */
function boardsOf({ boardPublicId, boards: ids }: View, boards: readonly BoardView[]) {
  const named = boardPublicId === null ? ids : [boardPublicId];
  return named === null ? boards : boards.filter(({ publicId }) => named.includes(publicId));
}

type RowsProps = {
  view: View;
  group: Group;
  boards: readonly BoardView[];
  fields: readonly Field[];
  width: number;
};

function GroupRows({ view, group, boards, fields, width }: RowsProps) {
  const { data, error, more } = useViewCards(view, group.key);
  return (
    <tbody aria-label={nameOf(group)}>
      <tr className="group">
        <th colSpan={width} scope="rowgroup">
          <span className={group.colourCode === null ? "capital" : `label ${colourClass(group)}`}>
            {nameOf(group)}
          </span>{" "}
          <small>{group.count}</small>
          {error !== undefined && <span role="alert"> {messageOf(error)}</span>}
        </th>
      </tr>
      {data === undefined && <Awaited count={group.count} width={width} />}
      {data?.items.map((card) => (
        <CardRow
          key={card.publicId}
          card={card}
          board={boards.find(({ publicId }) => publicId === card.boardPublicId)}
          hasBoard={boards.length > 1}
          fields={fields}
          href={hrefOf("view", view.workspacePublicId, view.publicId, card.publicId)}
        />
      ))}
      {data?.hasMore === true && (
        <tr>
          <td colSpan={width}>
            <button type="button" onClick={() => void more()}>
              Show more
            </button>
          </td>
        </tr>
      )}
    </tbody>
  );
}

const firstPage = 50;

/** The place of rows that are being read, so that nothing moves when they arrive. */
const Awaited = ({ count, width }: { count: number; width: number }) =>
  Array.from({ length: Math.min(count, firstPage) }, (_, nth) => (
    <tr key={nth}>
      <td colSpan={width} />
    </tr>
  ));

type RowProps = {
  card: Card & { listPublicId: string };
  board: BoardView | undefined;
  hasBoard: boolean;
  fields: readonly Field[];
  href: string;
};

function CardRow({ card, board, hasBoard, fields, href }: RowProps) {
  const list = board?.lists.find(({ publicId }) => publicId === card.listPublicId);
  return (
    <tr>
      <td className="number">{card.cardNumber}</td>
      <td className="title">
        <a id={`card-${card.publicId}`} href={href}>
          {card.title}
        </a>
      </td>
      {hasBoard && <td>{board?.name}</td>}
      <td>{list?.name}</td>
      <td>
        <Priority priority={card.priority} />
      </td>
      <td>
        {card.dueDate !== null && (
          <Due date={card.dueDate} isAllDay={card.isDueAllDay} isComplete={card.isComplete} />
        )}
      </td>
      <td>
        <Members members={card.members} />
      </td>
      <td>
        <span className="labels">
          {card.labels.map((label) => (
            <span key={label.publicId} className={`label ${colourClass(label)}`}>
              {label.name}
            </span>
          ))}
        </span>
      </td>
      {fields.map((field) => {
        const value = card.fields[field.publicId];
        return (
          <td key={field.publicId}>
            {board !== undefined && value !== undefined && (
              <FieldValue workspace={board.workspacePublicId} field={field} value={value} />
            )}
          </td>
        );
      })}
    </tr>
  );
}
