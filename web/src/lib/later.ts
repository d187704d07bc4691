/** A part of the page that comes when it is wanted. Where it cannot be fetched, `away` is told, and nothing is shown. */
export function later<Part>(part: Promise<Part>, away: () => void): Promise<Part> {
  return part.catch(() => {
    away();
    return new Promise<never>(() => {});
  });
}
