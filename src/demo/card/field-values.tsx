import type { BoardView } from "@workspace-board-service/client/store";
import type { Card, Field, FieldValue as Value } from "../base/types.ts";
import { useMembers } from "../base/use-workspace.ts";
import { colourClass } from "../components/parts.tsx";

type Props = { board: BoardView; values: Card["fields"] };

/** The values of the custom fields that lists of cards show. */
export function FieldValues({ board, values }: Props) {
  const shown = board.fields.flatMap((field) => {
    const value = values[field.publicId];
    return field.isShownOnCard && value !== undefined ? [{ field, value }] : [];
  });
  if (shown.length === 0) return null;
  return (
    <dl className="values">
      {shown.map(({ field, value }) => (
        <div key={field.publicId}>
          <dt>{field.name}</dt>
          <dd>
            <FieldValue workspace={board.workspacePublicId} field={field} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

type ValueProps = { workspace: string; field: Field; value: Value };

/** The value of a custom field, as people read it. */
export function FieldValue({ workspace, field, value }: ValueProps) {
  switch (field.type) {
    case "select":
    case "multiSelect":
      return <Options field={field} value={value} />;
    case "member":
      return <MemberName workspace={workspace} id={value} />;
    case "checkbox":
      return value === true ? "Yes" : "No";
    case "date":
      return new Date(String(value)).toLocaleDateString();
    case "number":
      return `${value.toLocaleString()}${field.unit === null ? "" : ` ${field.unit}`}`;
    default:
      return value;
  }
}

/** The chosen options of a field, in their colours. */
export const Options = ({ field, value }: { field: Field; value: Value | undefined }) =>
  field.options
    .filter(({ publicId }) =>
      Array.isArray(value) ? value.includes(publicId) : value === publicId,
    )
    .map((option) => (
      <span key={option.publicId} className={`label ${colourClass(option)}`}>
        {option.name}
      </span>
    ));

function MemberName({ workspace, id }: { workspace: string; id: Value }) {
  const members = useMembers(workspace);
  return members?.find(({ publicId }) => publicId === id)?.name;
}
