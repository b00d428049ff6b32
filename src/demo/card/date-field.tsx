import { parseDate, type CalendarDate } from "@internationalized/date";
import {
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  DateInput,
  DatePicker,
  DateSegment,
  Dialog,
  Group,
  Heading,
  Label,
  Popover,
} from "react-aria-components";
import { useDraft } from "../components/use-draft.ts";

type Props = {
  label: string;
  date: string | null;
  isAllDay: boolean;
  onSave: (date: string | null) => void;
};

/** A date as a day of the user's time zone, as cards show it. */
export function DateField({ label, date, isAllDay, onSave }: Props) {
  // Each digit of a year is a value: the date is saved when the field is left.
  const { text, change, save } = useDraft(
    isAllDay && date !== null ? date.slice(0, 10) : dayOf(date),
    (day) => onSave(day === "" ? null : day),
  );
  return (
    <div className="property due">
      <DatePicker
        value={text === "" ? null : parseDate(text)}
        onChange={(day: CalendarDate | null) => change(day?.toString() ?? "")}
        onBlur={save}
        onOpenChange={(isOpen) => !isOpen && save()}
      >
        <Label className="property-name">{label}</Label>
        <Group className="date">
          <DateInput>{(segment) => <DateSegment segment={segment} />}</DateInput>
          <Button className="icon" aria-label="Choose a day">
            ▾
          </Button>
        </Group>
        <Popover className="popover">
          <Dialog className="calendar">
            <Days />
          </Dialog>
        </Popover>
      </DatePicker>
      {date !== null && (
        <button
          type="button"
          className="icon"
          aria-label={`Clear ${label}`}
          onClick={() => onSave(null)}
        >
          ✕
        </button>
      )}
    </div>
  );
}

function Days() {
  return (
    <Calendar>
      <header>
        <Button slot="previous" className="icon">
          ‹
        </Button>
        <Heading />
        <Button slot="next" className="icon">
          ›
        </Button>
      </header>
      <CalendarGrid>{(date) => <CalendarCell date={date} />}</CalendarGrid>
    </Calendar>
  );
}

/** The local day of a date, such as `2027-03-01`. */
function dayOf(date: string | null): string {
  if (date === null) return "";
  const at = new Date(date);
  // East of Greenwich the last hours of the year 9999 are in a year that no calendar here has.
  if (!(at.getFullYear() >= 1 && at.getFullYear() <= 9_999)) return date.slice(0, 10);
  const [month, day] = [at.getMonth() + 1, at.getDate()].map((part) => `${part}`.padStart(2, "0"));
  return `${`${at.getFullYear()}`.padStart(4, "0")}-${month}-${day}`;
}
