/** The colours of options in GitHub's projects. */
export const colours: ReadonlyMap<string, string> = new Map(
  Object.entries({
    GRAY: "#59636e",
    BLUE: "#0969da",
    GREEN: "#1a7f37",
    YELLOW: "#9a6700",
    ORANGE: "#bc4c00",
    RED: "#d1242f",
    PINK: "#bf3989",
    PURPLE: "#8250df",
  }),
);
