const plain: Record<string, [plain: string, light: string, dark: string]> = {
  green: ["#4bce97", "#baf3db", "#1f845a"],
  yellow: ["#f5cd47", "#f8e6a0", "#946f00"],
  orange: ["#fea362", "#fedec8", "#c25100"],
  red: ["#f87168", "#ffd5d2", "#c9372c"],
  purple: ["#9f8fef", "#dfd8fd", "#6e5dc6"],
  blue: ["#579dff", "#cce0ff", "#0c66e4"],
  sky: ["#6cc3e0", "#c6edfb", "#227d9b"],
  lime: ["#94c748", "#d3f1a7", "#5b7f24"],
  pink: ["#e774bb", "#fdd0ec", "#ae4787"],
  black: ["#8590a2", "#dcdfe4", "#626f86"],
};

type Colour = { name: string; colourCode: string };

/** Trello's ten label colours with their light and dark variants, and names for unnamed labels. */
export const colours: ReadonlyMap<string, Colour> = new Map(
  Object.entries(plain).flatMap(([colour, [base, light, dark]]): [string, Colour][] => {
    const name = colour.replace(/^./, (letter) => letter.toUpperCase());
    return [
      [colour, { name, colourCode: base }],
      [`${colour}_light`, { name: `Light ${colour}`, colourCode: light }],
      [`${colour}_dark`, { name: `Dark ${colour}`, colourCode: dark }],
    ];
  }),
);
