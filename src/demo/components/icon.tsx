const paths = {
  account: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20c1-4 4-5 8-5s7 1 8 5",
  blocked: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM6.5 6.5l11 11",
  parts: "M5 5h6v6H5zM13 13h6v6h-6zM8 11v5h5",
  bell: "M12 3a6 6 0 0 0-6 6v4l-2 4h16l-2-4V9a6 6 0 0 0-6-6zM10 20h4",
  check: "M4 5h16v14H4zM8 12l3 3 5-6",
  claim: "M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3",
  clock: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2",
  comment: "M4 5h16v11H11l-5 4v-4H4z",
  file: "M19 11l-7 7a4.5 4.5 0 0 1-6-6l8-8a3 3 0 0 1 4 4l-8 8a1.5 1.5 0 0 1-2-2l7-7",
  filter: "M4 6h16M7 12h10M10 18h4",
  text: "M5 7h14M5 12h14M5 17h9",
} as const;

/** A sign, in the colour of the text. What it means stands beside it, or in its parent's label. */
export const Icon = ({ name }: { name: keyof typeof paths }) => (
  <svg className="icon-image" viewBox="0 0 24 24" aria-hidden>
    <path d={paths[name]} />
  </svg>
);

/** How many bars the sign of a priority has. */
const levels = { none: 0, low: 1, medium: 2, high: 3, urgent: 4 };

/** The sign of a priority: more bars for a higher one. */
export function PriorityIcon({ priority }: { priority: keyof typeof levels }) {
  const level = levels[priority];
  return (
    <svg className={`icon-image priority ${priority}`} viewBox="0 0 24 24" aria-hidden>
      {[1, 2, 3, 4].map((bar) => (
        <path
          key={bar}
          className={bar <= level ? "" : "faint"}
          d={`M${bar * 5 - 0.5} 20V${20 - bar * 4}`}
        />
      ))}
    </svg>
  );
}
