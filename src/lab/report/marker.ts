/** What tells one run from another in a plot? Its colour, and its shape for those who see colours otherwise. */

/** As many as the page's style has. */
export const COLOURS = 8;

const SHAPES: readonly ((x: number, y: number) => string)[] = [
  (x, y) => `<circle cx="${x}" cy="${y}" r="4"/>`,
  (x, y) => `<path d="M${x - 3.6} ${y - 3.6}h7.2v7.2h-7.2z"/>`,
  (x, y) => `<path d="M${x} ${y - 5}l5 8.6h-10z"/>`,
  (x, y) => `<path d="M${x} ${y - 5.2}l5.2 5.2l-5.2 5.2l-5.2 -5.2z"/>`,
  (x, y) => `<path d="M${x} ${y + 5}l5 -8.6h-10z"/>`,
];

/** The classes that a run's colour stands in, and whether its lines are dashed: colours come again after the last. */
export function colourClass(colour: number): string {
  return `c${colour % COLOURS}${colour >= COLOURS ? " again" : ""}`;
}

/** Numbers of shapes and of colours have no common divisor, so that a pair comes again late. */
export function marker(colour: number, x: number, y: number): string {
  return SHAPES[colour % SHAPES.length]?.(x, y) ?? "";
}

/** A marker alone, for legends and for tables. */
export function markerPicture(colour: number): string {
  return `<svg class="key ${colourClass(colour)}" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">${marker(colour, 7, 7)}</svg>`;
}
