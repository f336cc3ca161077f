// Lists a page at a time, by cursors in the address: `?after=…` once for each page walked, so that there is a way back.
const REMEMBERED = 10;

/** The cursor of the page on show; undefined on the first. */
export const cursorOf = (request: Request): string | undefined =>
  new URL(request.url).searchParams.getAll("after").at(-1);

/** The addresses before and after the page on show, with whatever else the address has; `isAnew` where it is the first after all. */
export function steps(
  params: URLSearchParams,
  { nextCursor, isAnew }: { nextCursor: string | null; isAnew: boolean },
): { previous?: string; next?: string } {
  const walked = isAnew ? [] : params.getAll("after");
  const to = (cursors: string[]) => {
    const there = new URLSearchParams(params);
    there.delete("after");
    for (const cursor of cursors.slice(-REMEMBERED)) there.append("after", cursor);
    return `?${there}`;
  };
  return {
    ...(walked.length > 0 ? { previous: to(walked.slice(0, -1)) } : {}),
    ...(nextCursor === null ? {} : { next: to([...walked, nextCursor]) }),
  };
}
