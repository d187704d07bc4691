/** A part of the page that loads on demand. If it can't be fetched, `away` is called and nothing is shown. */
export function lazy<Part>(part: Promise<Part>, away: () => void): Promise<Part> {
  return part.catch(() => {
    away();
    return new Promise<never>(() => {});
  });
}
